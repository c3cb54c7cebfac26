"""Names that only say who claims something: what `chatgpt says` is asked about, not the model that said it."""

from __future__ import annotations

import re

SIZED = r"(?:[ -]?\d{1,3}(?:\.\d)?b)?"
SAYS = re.compile(
    SIZED + r"[ ,]?(?:(?:just|also|always|now|even|keeps|kept|once|both|all) ){0,2}"
    r"(?:says?|said|saying|tells?|told|telling|claim(?:s|ed|ing)?|thinks?|insist(?:s|ed)?|swears?|reckons?|answer(?:s|ed)|assured)(?![a-z])"
    r"|" + SIZED + r" ?(?:(?:上|里|它|刚才?|却|还|都|也|又|一直|老是?|总是?|跟我|对我|和我|给我) ?){0,3}"
    r"(?:说(?!明|法|书)|讲|告诉|声称|宣称|坚称|断言|认为|觉得|(?:回答|答复?)(?:我|说))"
)
ASKED = re.compile(r"(?:according to|(?:i )?asked|问了|问过|据|根据) ?(?:my |the )?$")


def speaks(low: str, start: int, end: int) -> bool:
    """Whether the name low[start:end] is of who says something."""
    return bool(SAYS.match(low, end) or ASKED.search(low, max(0, start - 20), start))
