"""Whether a question is of the field at all, and whether a number in it is impossible."""

from __future__ import annotations

import re

from kb.types.lexicon import Lexicon
from kb.types.question import Understanding
from kb.understanding.asks.naming import contrasted, defined
from kb.understanding.mentions import Reading
from kb.understanding.names.matching import Words
from kb.understanding.slots.details import read_details
from kb.understanding.text.fold import Folded, level

WORD = re.compile(r"[a-z][a-z'+-]*|[一-鿿]+|\d[\w.%]*")
GENERIC_HAN = re.compile(
    r"请问|麻烦|谢谢|你好|您好|怎么|什么|多少|几|哪|吗|呢|吧|啊|呀|么|的|了|是|有|我|你|他|她|它|这|那|就"
    r"|都|也|还|再|要|想|能|可以|不|没|行|够|换|改|成|用|开|加|如果|要是|假如|只|一|二|三|四|五|六|七|八"
    r"|九|十|两|个|张|台|块|份|次|下|上|里|中|大|小|高|低|快|慢|好|坏|和|与|跟|比|对|把|给|让|被|会|该|需"
    r"|得|到|从|在|为|以|及|或|但|而|且|因|所以|然后|现在|之前|后续|最|更|很|太|真|多|少|说|错|问|答|看|存"
    r"|留|带|权重|花|钱|买|租|贵|便宜"
)
MATERIAL = frozenset({
    "parameters", "tokens", "gpu_count", "node_count", "gpu_hours", "bandwidth", "seq_len", "precision", "method", "batch", "power",
    "memory", "gpu", "model", "optimizer", "row",
})  # fmt: skip
NEGATIVE = re.compile(
    r"(?:^|[\s(（,，:：=用个对]|负|minus )-\s?(\d{1,9}(?:\.\d{1,9})?)\s?(b|亿|张|卡|块|gpus?|tokens?|g|gb"
    r"|天|days?|小时|hours?)(?![a-z])|(?:负|minus )\s?(\d{1,9}(?:\.\d{1,9})?)\s?(b|亿|张|卡|块|gpus?"
    r"|tokens?)"
)
NEGATIVE_CARDS = re.compile(
    r"(?:^|(?<=[\s(（,，:：=用个对])|负|minus )(?:-(?=\d)|(?<=负)|(?<=minus ))(\d{1,6}) ?(?:[张块] ?)?\ue000"
)
NOT_NUMBER = re.compile(
    r"(?<![a-z])(nan|infinity|inf|-inf|无穷大?|无限)\s?(?:个)?\s?(gpus?|cards?|张|卡|块|tokens?|b(?![a-z])"
    r"|params?|days?|天|users?|nodes?|gb)"
)
FIELD_OF = {
    "b": "parameters",
    "亿": "parameters",
    "p": "parameters",
    "t": "tokens",
    "g": "gpu_count",
    "张": "gpu_count",
    "卡": "gpu_count",
    "块": "gpu_count",
    "c": "gpu_count",
    "d": "days",
    "天": "days",
    "h": "hours",
    "小": "hours",
    "u": "concurrency",
    "n": "nodes",
}


# What only somebody who fits models on cards says, and nothing else: what of, is asked back.
OPENING = re.compile(
    r"(?:又|老是|老|总是|还是|一直|就|直接)爆|爆了|放得下|装得下|塞得下|跑得动|跑得起来|够不够跑"
    r"|(?:[两二三四]|多|再?加一?)(?:张|块|卡)[^,，。?]{0,4}(?:更|会|能)快"
    r"|(?<![a-z])(?:faster|slower|quicker) with (?:two|three|four|more|another|\d)(?![a-z])"
    r"|(?<![a-z])(?:will|would|does|do|can) (?:it|this|that|they) (?:\w{1,8} )?fit(?![a-z])|(?<![a-z])(?:it|this) (?:just )?ooms?(?![a-z])"
)


PLAIN = re.compile(r"[a-z]+")  # a word that the articles may use as everybody does
COINED = re.compile(r"[A-Za-z]*(?:[a-z][A-Z]|[A-Z]{2}[a-z]|\+)\S*")  # LMCache, ZeRO++: nobody writes so but of the thing
ACRONYM = re.compile(r"[A-Z]{3,}")  # EFA, SHARP: in small letters some are words
SPOKEN = re.compile(r"[A-Za-z][A-Za-z0-9+.]*(?:-[A-Za-z0-9]+)*")
ONE_OF = re.compile(r"(?<![a-z])an? $")  # a llama is an animal
NEAR, NEAR_OF_NAME = (
    0.42,
    0.55,
)  # least cosine to a section of a question, and of one that asks what a word means, to be of the field


EVERYWHERE = frozenset({"cost"})  # terms that are said of anything
MAKERS = 2  # names of makers that no other word makes one of the field


class Topics:
    """Knows the words of the field and those of everyday life."""

    def __init__(self, lexicon: Lexicon) -> None:
        words = lexicon.words
        kinds = (name for entry in words.get("kinds", ()) if not (name := entry.partition("=")[0]).isascii())
        built = (name for entry in words.get("architectures", ()) for name in _of_cards(entry.partition("=")[0]))
        self._foreign, self._field = Words(words.get("foreign", ())), Words((*words.get("field", ()), *kinds, *built))
        self._generic = frozenset(words.get("generic", ()))
        self._makers = Words((*words.get("brands", ()), *words.get("domestic", ())))
        spoken, told = words.get("spoken", ()), map(level, words.get("told", ()))
        self._coined = frozenset(level(n) for n in spoken if COINED.fullmatch(n))
        self._acronyms = frozenset(n for n in spoken if ACRONYM.fullmatch(n))
        explained = (name for text in told for name in (*contrasted(text), defined(text)))
        self._terms = frozenset({*(level(n) for n in spoken if not PLAIN.fullmatch(n)), *explained} - {""})

    def speaks_of_field(self, folded: Folded, reading: Reading, before: Understanding | None, near: float = 0.0) -> bool:
        """Something of the field stands in the text, or it only makes sense as the next turn of a conversation that is of the field.

        `near`: the cosine of the section of the corpus that is nearest to it."""
        low = folded.low
        strange = self._foreign.count(low[:4000])
        named = bool(reading.entities.cards or reading.entities.models or reading.entities.systems or reading.entities.unknown)
        material = (
            named
            or (before is not None and bool(read_details(low[:2000])))
            or any(f.quantity in MATERIAL for f in reading.found)
        )
        names = [n for n in reading.entities.names if not n.alias.weak]
        terms = sum(n.term.canonical not in EVERYWHERE for n in names)
        fields = self._field.count(low[:4000])
        if strange and not material:
            return terms + fields >= 2 and terms + fields > strange
        if strange and not fields and not terms and not named:
            return False
        if material or terms or fields or self._in_articles(folded):
            return True
        if names and (before is None or before.off_topic):
            for n in names:
                low = low[: n.start] + " " * (n.end - n.start) + low[n.end :]
            return bool(self._makers.count(low[:400])) or self._only_generic(
                low, reading, most=0
            )  # what has that price is ours
        if any(f.quantity == "money" for f in reading.found) and before is None:
            return False
        if not strange and self._only_generic(low, reading) and OPENING.search(low[:400]):
            return True
        if not strange and self._makers.count(low[:400]) >= MAKERS:
            return True
        if strange:
            return False
        # what it means is asked, where nothing of it is read
        return near >= (NEAR_OF_NAME if _explained(low) else NEAR) or (before is not None and not before.off_topic)

    def _in_articles(self, folded: Folded) -> bool:
        """Whether a name is said that only the field has, or what is to be explained is a term of the articles."""
        if any(n in self._acronyms or level(n) in self._coined for n in SPOKEN.findall(folded.cased[:400])):
            return True
        return any(n in self._terms and not ONE_OF.search(folded.low[: folded.low.find(n)]) for n in _explained(folded.low))

    def _only_generic(self, low: str, reading: Reading, most: int = 1) -> bool:
        """Whether nothing but words without a subject, and quantities, are left (`most` others): an elliptical turn."""
        left = 0
        for m in WORD.finditer(low[:400]):
            word = m.group()
            if any(f.start < m.end() and m.start() < f.end for f in reading.found) or word[0].isdigit():
                continue
            if word[0] >= "一":
                left += len(GENERIC_HAN.sub("", OPENING.sub("", word))) > 1
            else:
                left += word not in self._generic
        return left <= most


def _explained(low: str) -> tuple[str, ...]:
    """What a question wants explained."""
    return tuple(filter(None, (*contrasted(low[:400]), defined(low[:400]))))


BEYOND = re.compile(r"(?<![\w.])(\d{1,9}(?:\.\d{1,9})?e\+?(\d{2,9})\s?[bmt]?)(?![a-z0-9])")
LARGEST = 30  # power of ten that anything countable has


def problem_of(low: str, reading: Reading) -> tuple[str, str] | None:
    """(field, what is wrong) of an impossible number: no GPUs, a negative size, NaN."""
    m = NOT_NUMBER.search(low)
    if m:
        return FIELD_OF.get(m[2][0], "parameters"), f"not a finite number: {m[1]}"
    beyond = BEYOND.search(low)
    if beyond and int(beyond[2]) > LARGEST:
        return "parameters", f"not a finite number: {beyond[1]}"
    negative = NEGATIVE.search(low)
    if negative:
        number, unit = negative[1] or negative[3], negative[2] or negative[4]
        field = "memory_gb" if unit in ("g", "gb") else FIELD_OF.get(unit[0], "parameters")
        return field, f"negative: -{number}"
    if cards := NEGATIVE_CARDS.search(reading.entities.low):
        return "gpu_count", f"negative: -{cards[1]}"
    if any(f.quantity == "gpu_count" and f.value == 0 for f in reading.found) or re.search(
        r"(?<![\d.])(?:0|零|zero)\s?(?:张|块|卡|个)?\s?(?:gpus?|cards?|显卡|卡(?!时)|\ue000)", low
    ):
        return "gpu_count", "must be at least 1"
    if any(f.quantity == "parameters" and f.value == 0 for f in reading.found):
        return "parameters", "must be positive"
    return None


def _of_cards(architecture: str) -> tuple[str, ...]:
    """An architecture as it is said of cards: alone some are names of people."""
    return tuple(
        f"{architecture}{of}" for of in ("架构", " 架构", "显卡", " 显卡", " cards", " card", " gpus", " gpu", " accelerators")
    )
