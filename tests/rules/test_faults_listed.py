"""Every known fault of the engine's kind has a test that bears its id. F7, a double deck, is not built."""

import re
from pathlib import Path

import pytest

TESTED = (
    *("A1", "A2", "A3", "A4", "A5", "A7"),
    *("B2", "B5", "B6", "B7", "B9", "B12"),
    *("C1", "C3", "C4", "C7", "C8"),
    *("D2", "D3", "D5", "D7"),
    *("E2", "E3", "E4", "E7"),
    *("F1", "F3", "F5", "F8"),
    *("G1", "G5", "G8", "G9"),
    *("H1", "H7", "H8", "H10", "H11", "H12"),
    *("I1", "I4", "I5", "I9"),
)


def names() -> set[str]:
    """Return the first word of every test's name."""
    sources = (path.read_text("utf-8") for path in Path(__file__).parents[1].rglob("test_*.py"))
    return {
        name.upper() for source in sources for name in re.findall(r"^def test_([A-Za-z]\d+)_", source, re.MULTILINE)
    }


@pytest.mark.parametrize("fault", TESTED)
def test_has_a_test(fault: str) -> None:
    assert fault in names()
