"""The bare yes or no that a section opens with: it answers the section's heading, and stands only for a question of the same sense."""

from __future__ import annotations

from kb.answering.wording.neutral import BARE
from kb.types.evidence import Hit
from kb.understanding.asks.polarity import asks_two, sense, senses

ITSELF = 0.9  # of a heading's cosine: it is the question in other words
NEAR = 0.5  # the same: it asks about the same thing


def apt(question: str, hit: Hit) -> bool:
    """Whether a yes or no to the heading of a passage is one to the question too: a heading that asks two things has it to itself."""
    heading = hit.passage.heading_path[-1] if hit.passage.heading_path else ""
    if not question or hit.headed >= ITSELF:
        return True
    return hit.headed >= NEAR and sense(heading) in senses(question) and not asks_two(heading)


def bare(sentence: str) -> bool:
    """Whether a sentence is nothing but a yes or no."""
    return BARE.fullmatch(sentence.strip()) is not None
