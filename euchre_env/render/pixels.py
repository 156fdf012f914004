"""The table as pixels, and a window that shows them. Needs pygame, the optional extra `render`; no display to draw.

`draw_table` paints on a plain surface; only `Window` opens something on a screen, and only when it first shows a
picture. What lies where is in `scene.py`, the drawings in `art.py`.

>>> import numpy as np
>>> from euchre_env import rulesets
>>> from euchre_env.engine.layout import STATE
>>> draw_table(rulesets.get("tournament"), np.zeros(1, STATE)).shape
(640, 960, 3)
"""

import os
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.render.words import State, Table
from euchre_env.ruleset import Ruleset

Frame = npt.NDArray[np.uint8]
SIZE = (960, 640)


def _pygame() -> ModuleType:
    """Import pygame without its greeting; ImportError says what to install."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError as missing:
        raise ImportError("pictures of the table need pygame: pip install euchre-env[render]") from missing
    return pygame


def draw_table(ruleset: Ruleset, state_record: State, seat: int | None = None, size: tuple[int, int] = SIZE) -> Frame:
    """Return the table as an image, uint8 `[height, width, 3]`.

    `state_record` is one STATE record (or an array of one), whole or a view; with a seat, only that hand is open.
    `size` is (width, height) in pixels; another shape than 3:2 leaves dark margins. ImportError without pygame.
    """
    pygame = _pygame()
    from euchre_env.render import scene

    width, height = size
    if width < 1 or height < 1:
        raise ValueError(f"size {size} is not a picture: width and height are at least 1.")
    canvas = scene.paint(Table(ruleset, state_record, seat))
    share = min(width / scene.CANVAS[0], height / scene.CANVAS[1])
    scaled = max(1, round(scene.CANVAS[0] * share)), max(1, round(scene.CANVAS[1] * share))
    picture = pygame.transform.smoothscale(canvas, scaled)
    frame = np.zeros((height, width, 3), dtype=np.uint8)
    left, top = (width - scaled[0]) // 2, (height - scaled[1]) // 2
    pixels = pygame.surfarray.array3d(picture).swapaxes(0, 1)
    frame[top : top + scaled[1], left : left + scaled[0]] = pixels
    return frame


class Window:
    """A window for render_mode "human": opened by the first `show`, which keeps to `fps` pictures a second."""

    def __init__(self, fps: float = 4.0, size: tuple[int, int] = SIZE, caption: str = "Euchre") -> None:
        self.fps = fps
        self.size = size
        self.caption = caption
        self._screen: Any = None
        self._clock: Any = None
        self._shut = False

    @property
    def is_open(self) -> bool:
        """Whether the window is on the screen."""
        return self._screen is not None

    def show(self, ruleset: Ruleset, state_record: State, seat: int | None = None) -> None:
        """Show a table as `draw_table` draws it, answer the window's events and wait for the next beat.

        Once somebody has shut the window this does nothing. RuntimeError where there is no screen.
        """
        if self._shut:
            return
        pygame = _pygame()
        frame = draw_table(ruleset, state_record, seat, self.size)
        if self._screen is None:
            self._open(pygame)
        self._screen.blit(pygame.surfarray.make_surface(frame.swapaxes(0, 1)), (0, 0))
        pygame.display.flip()
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
        else:
            self._clock.tick(self.fps)

    def _open(self, pygame: ModuleType) -> None:
        try:
            pygame.display.init()
            self._screen = pygame.display.set_mode(self.size)
        except pygame.error as reason:
            raise RuntimeError(f"no window can be opened here ({reason}): use render_mode='rgb_array'.") from reason
        pygame.display.set_caption(self.caption)
        self._clock = pygame.time.Clock()

    def close(self) -> None:
        """Take the window off the screen; calling it twice is harmless, `show` does nothing afterwards."""
        self._shut = True
        if self._screen is not None:
            self._screen = None
            _pygame().display.quit()
