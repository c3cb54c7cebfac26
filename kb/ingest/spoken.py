"""The words of the field as the articles use them: what questions are recognised by that no list of terms holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from kb.types.document import Document

NAME = re.compile(r"(?<![A-Za-z0-9])[A-Za-z](?:[A-Za-z0-9]|[.+/_-]{1,2}(?=[A-Za-z0-9]))*(?:\+\+)?")
PHRASE = re.compile(rf"{NAME.pattern}(?: {NAME.pattern}){{1,3}}")
PLAIN = re.compile(r"(?<![\w.-])[a-z]{2,}(?![\w.-]*\w)")
CODE = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
SHORTEST = 3  # letters of a name


def spoken(documents: Iterable[Document]) -> Mapping[str, tuple[str, ...]]:
    """Lists of words by purpose, for the lexicon.

    `spoken`: what stands in Latin letters in Chinese articles, as written, and is no word of the English ones.
    `told`: headings, and how people ask for their sections, in both languages.
    """
    names, told, words = dict[str, None](), dict[str, None](), set[str]()
    for document in documents:
        if not document.topic or document.entity:
            continue
        asked = [wording for wordings in document.asked.values() for wording in wordings]
        told |= dict.fromkeys((*HEADING.findall(document.text), *asked))
        if document.language == "zh":
            for text in (CODE.sub(" ", document.text), *asked):
                names |= dict.fromkeys((*PHRASE.findall(text), *(n for n in NAME.findall(text) if len(n) >= SHORTEST)))
        else:
            words.update(PLAIN.findall(CODE.sub(" ", document.text)))
    return {"spoken": tuple(n for n in names if n.lower() not in words), "told": tuple(told)}
