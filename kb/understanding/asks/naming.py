"""What a question names to have it explained: one thing (`what is X?`), or several that it sets against one another (`X vs Y`)."""

from __future__ import annotations

import re

LONGEST = 6  # words of a name in English
LONGEST_HAN = 16  # characters of one in Chinese
END = r"[?？。!！,，;；]"
DIFFERENCE = re.compile(
    r"区别|區別|差别|差別|差异|差異|不同|差在哪|分不清|各有什么|各有什麼|优缺点|優缺點|(?<![a-z])(?:differences?|differs?|different)(?![a-z])",
    re.IGNORECASE,
)
APART = re.compile(
    r"\s*(?:和|与|與|跟|以及|及|、|，|,|/|还是|還是|(?<![a-z])(?:vs\.?|versus|and|or)(?![a-z]))\s*", re.IGNORECASE
)
PAIRED = (
    re.compile(
        rf"(?:^|{END})\s*(?:请问|請問|想问一下|想问|那么?|解释一下|解釋一下|说说)?\s*(?P<names>[^?？。!！;；]{{3,80}}?)"
        r"(?:区别|區別|差别|差別|差异|差異|不同|差在哪|怎么区分|分不清|优缺点|優缺點)"
    ),
    re.compile(r"(?<![a-z])differences? between (?P<names>[^?;.]{3,80})", re.IGNORECASE),
    re.compile(r"(?<![a-z])how (?:do|does|are|is) (?P<names>[^?;.]{3,80}?) (?:differ(?:ent)?(?![a-z]))", re.IGNORECASE),
    re.compile(r"(?P<names>[^?？。;；,，]{2,40}(?<![a-z])(?:vs\.?|versus)(?![a-z])[^?？。;；,，]{2,40})", re.IGNORECASE),
)
TAIL = re.compile(
    r"\s+(?:for|in|on|when|while|with|which|what|where|at|during|to|if|explained|inference|training)(?![a-z]).*$"
    r"|\s*(?:用于|用於|在|做|训练时|訓練時|推理时|各|哪|傻傻|到底|的|有|什么|什麼|啥|之间|之間|主要|[这這]?[几幾两兩三二][种種个個者]).*$",
    re.IGNORECASE,
)
LEAD = re.compile(
    r"^\s*(?:(?:what|what's|whats|is|are|the|an?|please|explain|so|and|ok|differences?|between|compare)\s+)+", re.IGNORECASE
)
LATIN = re.compile(r"[A-Za-z0-9][\w.+/-]*(?: (?:[A-Za-z0-9][\w.+/-]*))*")
DEFINED = (
    re.compile(
        rf"^\W*(?:请问|請問)?(?:什么是|什麼是|啥是|何为|何謂|何谓|解释一下|解釋一下|介绍一下)\s*(?P<name>[^,，。?？!！;；]{{1,{LONGEST_HAN}}})"
    ),
    re.compile(
        rf"^\W*(?:请问|請問)?(?P<name>[^,，。?？!！;；的]{{1,{LONGEST_HAN}}}?)\s*(?:到底)?(?:是什么意思|是什麼意思|是什么东西|是什么|是什麼|是啥"
        r"|是干嘛的|是干什么的|什么意思|什麼意思|啥意思|指的是什么|指什么)"
    ),
    re.compile(
        rf"^\W*(?:so |and |ok )?(?:what(?:'?s| is| are| does)|wats|define|explain|what do you mean by|meaning of)\s+(?:an? |the )?"
        rf"(?P<name>[A-Za-z0-9][\w.+/-]*(?: [A-Za-z0-9(][\w.+/)-]*){{0,{LONGEST - 1}}}?)\s*"
        r"(?:mean|stand for|do|used for|good for)?\s*"
        r"(?:\?|$|, and |,? and (?:what|when|how|why|does|do|is)(?![a-z])|,| in (?:llm|gpu|ml|ai))",
        re.IGNORECASE,
    ),
)
NO_NAME = re.compile(
    r"^(?:it|that|this|they|these|those|the difference|difference|一下|这个|那个|它|这|那)$"
    r"|(?<![a-z])(?:best|most|minimum|cheapest|largest|fastest|difference|my|your|i|you|we|should|need|better)(?![a-z])|^[你我他]$|多少|怎么|哪",
    re.IGNORECASE,
)


def contrasted(question: str) -> tuple[str, ...]:
    """The names that a question sets against one another, as they stand; empty where it does not."""
    for pattern in PAIRED:
        if found := pattern.search(question):
            names = tuple(dict.fromkeys(filter(None, map(_name, APART.split(found["names"])))))
            if 2 <= len(names) <= 3:
                return _completed(names)
    return ()


def defined(question: str) -> str:
    """The name that a question asks to have explained; empty where it asks something else."""
    for pattern in DEFINED:
        if (found := pattern.search(question)) and not NO_NAME.search(found["name"].strip()):
            return found["name"].strip()
    return ""


def asks_difference(text: str) -> bool:
    """Whether a question or a heading is about how things differ."""
    return DIFFERENCE.search(text) is not None


def _name(text: str) -> str:
    """A name without the words around it; empty where it is too long to be one."""
    said = TAIL.sub("", LEAD.sub("", text.strip())).strip(" \"'“”`")
    if said[:1].isascii() and any(c >= "\u3400" for c in said) and (latin := LATIN.match(said)):
        said = latin[0]
    short = len(said.split()) <= LONGEST and sum(c >= "\u3400" for c in said) <= LONGEST_HAN
    return said if said and short and not NO_NAME.search(said) else ""


def _completed(names: tuple[str, ...]) -> tuple[str, ...]:
    """`tensor and expert parallelism`: the noun of the last name is that of the others too, which are a word of small letters each."""
    noun = names[-1].split()[1:]
    if not noun or not all(c.islower() or c == " " for c in names[-1]):
        return names
    return tuple(f"{n} {noun[-1]}" if n.isalpha() and n.islower() and len(n) > 2 else n for n in names)
