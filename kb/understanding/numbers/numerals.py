"""Numerals: Arabic, Chinese, mixed, positional and English words, with scale words, as numbers.

Reads no units. 万 1e4, 亿 1e8, 万亿 1e12; a scale word alone is an order of magnitude (`approx`); 几, 十几 and 数 give a `range`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

DIGITS = {c: v for v, cs in enumerate(["零〇", "一", "二两俩", "三仨", "四", "五", "六", "七", "八", "九"]) for c in cs}
DIGITS |= {"双": 2}
SMALL = {"十": 10.0, "百": 100.0, "千": 1000.0, "廿": 20.0}
BIG = {"万": 1e4, "亿": 1e8}
ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORDS = {w: float(i) for i, w in enumerate(ONES)} | {w: 10.0 * i for i, w in enumerate(TENS, 2)}
WORDS |= {"sixteen": 16.0, "dual": 2.0, "single": 1.0, "couple": 2.0, "triple": 3.0, "quad": 4.0, "pair": 2.0}
ANY_WORD = "|".join(sorted(WORDS, key=len, reverse=True))  # the longest first
SCALES = {
    "hundred": 100.0,
    "thousand": 1e3,
    "dozen": 12.0,
    "million": 1e6,
    "mn": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
}

ARABIC = r"\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,9})?|\d{1,15}(?:\.\d{1,9})?|(?<![a-z\d.])\.\d{1,9}(?![\d.])"
NUMERAL = re.compile(
    rf"(?P<arabic>{ARABIC})(?:e(?P<exp>[+-]?\d{{1,2}})(?![a-z0-9])|\s?[x*]\s?10\s?\^\s?(?P<power>\d{{1,2}}))?"
    r"(?:\s?(?P<scale>(?:(?!千瓦|千兆|万兆|百兆|千克|千米|千字"
    r"|百分)[十百千万亿]){1,4})(?P<tail>\d(?![\d.a-z万亿千百%]))?|\s?(?P<word>million|billion|trillion"
    r"|thousand|hundred|mn|bn)(?![a-z]))?"
    r"|(?P<chinese>(?:(?!千瓦|千兆|万兆|千克|千米)[零〇一二两俩三仨四五六七八九十百千万亿廿几数双点半]){1,16})"
    rf"|(?<![a-z])(?P<first>{ANY_WORD})(?:[ -](?P<second>one|two"
    rf"|three|four|five|six|seven|eight|nine))?"
    r"(?:[ -](?:of[ -])?(?P<wscale>hundred|thousand|dozen|million|billion|trillion))?(?![a-z])"
    r"|(?<![a-z])(?:a |half a )?(?P<alone>dozen)(?![a-z])"
)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number at low[start:end]. `value` None with a `range`. `scaled`: ends in a scale word of ten thousand or more (亿, billion);
    `chinese`, `word`: written in characters or English words."""

    start: int
    end: int
    value: float | None
    approx: bool = False
    range: tuple[float, float] | None = None
    scaled: float = 0.0
    chinese: bool = False
    word: bool = False


def chinese_value(text: str) -> float | None:
    """一百三十亿 -> 1.3e10; 七点五亿 -> 7.5e8; 四零九零 -> 4090; 3千亿 -> 3e11; None when it is no numeral."""
    total = high = section = 0.0
    number: float | None = None
    fraction = 0.0
    last = 0.0
    for ch in text:
        if ch in DIGITS:
            if fraction:
                number = (number or 0.0) + DIGITS[ch] * fraction
                fraction /= 10
            else:
                number = DIGITS[ch] if number is None or (number == 0 and section) else number * 10 + DIGITS[ch]
        elif ch == "点" and number is not None and not fraction:
            fraction = 0.1
        elif ch in SMALL:
            section += (1.0 if number is None else number) * SMALL[ch]
            number, fraction, last = None, 0.0, SMALL[ch]
        elif ch in BIG:
            below = section + (number or 0.0)
            if ch == "万":
                high += (below or 1.0) * 1e4
            else:
                total += ((high + below) or 1.0) * 1e8
                high = 0.0
            section, number, fraction, last = 0.0, None, 0.0, BIG[ch]
        else:
            return None
    if number is not None and last >= 1e4 and 0 < number < 10 and not section and text[-2:-1] in BIG:
        number *= last / 10  # 一万二: twelve thousand
    return total + high + section + (number or 0.0)


def scan(low: str) -> list[Numeral]:
    """All numerals of a folded, lower-case text, left to right; linear."""
    out = []
    for m in NUMERAL.finditer(low):
        found = _arabic(m) if m["arabic"] else _chinese(m) if m["chinese"] else _word(m)
        if found is not None:
            out.append(found)
    return out


def _arabic(m: re.Match[str]) -> Numeral | None:
    value = float(m["arabic"].replace(",", ""))
    if m["exp"] or m["power"]:
        value *= 10.0 ** max(-60, min(60, int(m["exp"] or m["power"])))
    scaled = 0.0
    if m["scale"]:
        factor = chinese_value(m["scale"])
        if factor is None:
            return None
        value, scaled = value * factor, factor if factor >= 1e4 else 0.0
        if m["tail"]:
            value += float(m["tail"]) * factor / 10
    elif m["word"]:
        scaled = SCALES[m["word"]]
        value *= scaled
    return Numeral(m.start(), m.end(), value, scaled=scaled if scaled >= 1e4 else 0.0)


def _chinese(m: re.Match[str]) -> Numeral | None:
    text, start, end = m["chinese"], m.start(), m.end()
    while text and text[0] in "点":
        text, start = text[1:], start + 1
    while text and text[-1] in "点半":
        text, end = text[:-1], end - 1
    if not text:
        return Numeral(start, m.end(), 0.5, chinese=True) if m["chinese"] == "半" else None
    if "半" in text:
        return None
    top = max((BIG[c] for c in text if c in BIG), default=0.0)
    if "几" in text or "数" in text:
        bounds = _vague(text)
        return Numeral(start, end, None, True, bounds, top, True) if bounds else None
    if all(c in SMALL or c in BIG for c in text) and "十" not in text and text != "廿":
        value = chinese_value(text)
        return Numeral(start, end, value, True, None, top, True) if value else None
    value = chinese_value(text)
    if value is None:
        return None
    return Numeral(start, end, value, scaled=top if text[-1] in BIG or text[-2:-1] in BIG else 0.0, chinese=True)


def _vague(text: str) -> tuple[float, float] | None:
    scale = 1.0
    body = text.rstrip("万亿")
    for ch in text[len(body) :]:
        scale *= BIG[ch]
    if body in ("几", "数"):
        return (scale, 10 * scale) if scale > 1 else None
    if body in ("十几",):
        return 11 * scale, 19 * scale
    if len(body) == 2 and body[0] in "几数" and body[1] in SMALL:
        return SMALL[body[1]] * scale, 10 * SMALL[body[1]] * scale
    return None


def _word(m: re.Match[str]) -> Numeral | None:
    if m["alone"]:
        return Numeral(m.start(), m.end(), 6.0 if m.group().startswith("half") else 12.0, word=True)
    value = WORDS[m["first"]] + (WORDS[m["second"]] if m["second"] else 0.0)
    scale = SCALES[m["wscale"]] if m["wscale"] else 1.0
    return Numeral(m.start(), m.end(), value * scale, scaled=scale if scale >= 1e4 else 0.0, word=True)
