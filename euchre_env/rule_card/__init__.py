"""The rule card of a ruleset: what is played with what, phases and actions, scoring, the end, sources; as values.

All of it is derived from the options; the points are asked of the engine. `commands/rules.py` prints a card,
`docs/generate.py` writes all of them to docs/rulesets.md.

>>> card = rule_card("cincinnati")
>>> card.summary
'four in pairs, 24 cards, an auction, to 32; forced dealer; no-trump'
>>> [(row.who, row.tricks_words, row.makers_words, row.others_words) for row in card.scoring][:2]
[('3', '3 or more', 'own tricks', 'own tricks'), ('3', '2 or fewer', '-3', 'own tricks')]
"""

from dataclasses import dataclass

from euchre_env import rulesets
from euchre_env.rule_card.course import Step, course_of
from euchre_env.rule_card.facts import Fact, differences, end_facts, play_facts, summary_of
from euchre_env.rule_card.options import reads
from euchre_env.rule_card.points import ScoreRow, scoring_of
from euchre_env.rule_card.sources import source_keys, sources_of
from euchre_env.ruleset import Ruleset

__all__ = ["Fact", "RuleCard", "ScoreRow", "Step", "reads", "rule_card", "source_keys"]


@dataclass(frozen=True)
class RuleCard:
    """A ruleset as a page."""

    rules: Ruleset
    summary: str
    play: tuple[Fact, ...]
    steps: tuple[Step, ...]
    scoring: tuple[ScoreRow, ...]
    end: tuple[Fact, ...]
    options: tuple[Fact, ...]  # those that differ from the family's default
    sources: tuple[tuple[str, tuple[str, ...]], ...]  # key and the clauses in which it stands

    @property
    def scoring_heads(self) -> tuple[str, str, str, str]:
        """What stands above the columns of the scoring table."""
        many = self.rules.partners
        side = ("bidders" if many else "bidder") if self.rules.auction != "off" else "makers" if many else "maker"
        others = "defenders" if many else "the other" if self.rules.num_seats == 2 else "each of the others"
        tricks = f"{side}' tricks" if many else f"{side}'s tricks"
        return "bid" if self.rules.auction != "off" else "who plays", tricks, side, others


def rule_card(ruleset: str | Ruleset) -> RuleCard:
    """Return the card of a ruleset; RulesetError names the nearest for an unknown one."""
    rules = rulesets.get(ruleset)
    play, steps, end = tuple(play_facts(rules)), tuple(course_of(rules)), tuple(end_facts(rules))
    scoring = tuple(scoring_of(rules))
    cited = [fact.clause for fact in (*play, *end)] + [step.clause for step in steps] + [row.clause for row in scoring]
    sources = sources_of({clause for text in cited for clause in text.split(", ")})
    return RuleCard(rules, summary_of(rules), play, steps, scoring, end, differences(rules), sources)
