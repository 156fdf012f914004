"""How a hand or a game ended, in sentences: bids made or set, euchres, marches, points, tie-breaks, who won.

Points are read from the record; nothing here scores.

>>> from euchre_env.game import Game
>>> game = Game("ghost_hand", seed=1, dealer=0, auto_deal=False)
>>> for _ in range(3):
...     game.play(33)
>>> outcome(Table(game.ruleset, game.state))
['Nobody bid: the hand was thrown in.']
"""

from euchre_env.engine.layout import BID_NAMES, CLAIM_REDEAL, FORFEIT, MOON, NONE, Phase
from euchre_env.render.speech import bid_words
from euchre_env.render.words import TRUMP_WORDS, Table, listing


def outcome(table: Table) -> list[str]:
    """Return how the hand ended, in sentences; none while it is played or before the first."""
    if not table.finished or not table.dealt:
        return []
    if table.maker == NONE:
        return [*_thrown_in(table), *_tiebreak(table)]
    return [_played(table), *_verdict(table), *map(table.note_words, table.reneged), *_scored(table), *_tiebreak(table)]


def _thrown_in(table: Table) -> list[str]:
    seat, call = table.calls[-1] if table.calls else (NONE, NONE)
    if call == FORFEIT:
        return [f"{table.name(seat)} forfeited the deal.", *_scored(table)]
    if call == CLAIM_REDEAL:
        return [f"{table.name(seat)} claimed a redeal."]
    return [f"Nobody {'bid' if table.auction else 'made trump'}: the hand was thrown in."]


def _played(table: Table) -> str:
    side = table.rules.side(table.maker)
    took = f"{table.side_name(side)} took {table.side_tricks(side)} of {table.tricks_played} tricks"
    if table.auction:
        return f"{table.name(table.maker)} {bid_words(table.bid, table.trump, past=True)}: {took}."
    how = " alone" if table.rules.partners else " without the dummy"
    return f"{table.name(table.maker)} made {TRUMP_WORDS[table.trump]}{how * (table.maker in table.alone)}: {took}."


def _verdict(table: Table) -> list[str]:
    """Return whether the makers did what they said (2.7, 8.5)."""
    took, hand_size = table.side_tricks(table.rules.side(table.maker)), table.rules.hand_size
    if table.auction:
        moon = table.bid >= MOON
        needed = hand_size if moon else int(BID_NAMES[table.bid])
        made = "The moon is made!" if moon else "The bid is made."
        return [made if took >= needed else "Set!"]
    if 2 * took < hand_size:
        return ["Euchred!"]
    return ["A march!"] if took == hand_size else []


def _scored(table: Table) -> list[str]:
    """Return the points of the hand, those of sides that score alike in one sentence."""
    scores: dict[int, list[str]] = {}
    for side, points in enumerate(table.points):
        if points:
            scores.setdefault(points, []).append(table.side_name(side))
    return [_score(table, points, sides) for points, sides in scores.items()]


def _score(table: Table, points: int, sides: list[str]) -> str:
    several = len(sides) > 1
    verb = ("score" if points > 0 else "lose") + "s" * (not several and not table.rules.partners)
    return f"{listing(sides)} {verb} {abs(points)}{' each' * several}."


def _tiebreak(table: Table) -> list[str]:
    """9.7: what the next hand decides."""
    names = listing([table.side_name(side) for side in table.tied])
    return [f"A tie-break hand follows: {names} stand at {table.rules.target} or more."] if names else []


def victory(table: Table) -> str:
    """Return who won the game, with the score; empty before its end."""
    if table.phase != Phase.OVER or not table.winners:
        return ""
    names = listing([table.side_name(side) for side in table.winners])
    own = listing([str(table.scores[side]) for side in table.winners])
    others = listing([str(score) for side, score in enumerate(table.scores) if side not in table.winners])
    verb = "win" if table.rules.partners or len(table.winners) > 1 else "wins"
    return f"{names} {verb} {own}{f' to {others}' if others else ''}"
