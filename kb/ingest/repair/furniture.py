"""What a web page puts around its article: head lines, advertising, navigation, repeated paragraphs."""

from __future__ import annotations

import re
from itertools import pairwise

from kb.ingest.repair.edits import Edit
from kb.ingest.script import simplified

PARAGRAPH = re.compile(r"[^\n]+(?:\n[^\n]+)*")
SENTENCE = re.compile(r"[^。！？!?\n]*[。！？!?]+[”』」)）]*|[^。！？!?\n]+$", re.MULTILINE)
NAVIGATION = re.compile(
    r"[•·\-*\s]*(?:上一篇|下一篇|上一页|下一页|本文链接|本文地址|原文链接|原文地址|转载请注明|版权声明|版权所有|责任编辑|相关阅读|相关推荐"
    r"|previous(?: (?:post|article))?|next(?: (?:post|article))?|permalink|source link|copyright)\s*[:：].*",
    re.IGNORECASE,
)
SIGNS = (  # (weight, what a contact or an offer looks like)
    (3, re.compile(r"(?:\d[、,，·\s]){6,}\d")),
    (2, re.compile(r"(?<![^\W\d_])(?:[\u3400-\u9fff][、·_]){3,}[\u3400-\u9fff]")),
    (2, re.compile(r"(?<![\d.])(?:400|800|1[3-9]\d|0\d{2,3}|\d{3})[-\s]\d{3,4}[-\s]\d{3,4}(?!\d)|(?<!\d)1[3-9]\d{9}(?!\d)")),
    (1, re.compile(r"(?:www\.|m\.|https?://)[\w.-]+\.\w{2,}", re.IGNORECASE)),
)
CONTACT = re.compile(r"微信|电话|热线|致电|来电|客服|扫码|官网|加群|contact us|call|sign up|hotline|wechat", re.IGNORECASE)
OFFER = re.compile(
    r"租用|租赁|报价|咨询|优惠|免费试用|一家提供|一个提供|专注于提供|欢迎|free trial|special offer|discount|today",
    re.IGNORECASE,
)
FIELD = re.compile(
    r"(?:发布时间|发布日期|更新时间|日期|时间|来源|作者|编辑|阅读|浏览|点击|评论|author|source|date|views|published)\s*[:：]\s*\S{1,30}",
    re.I,
)
BREADCRUMB = re.compile(r"(?:首页|当前位置|您的位置|home)\s*[:：]?\s*(?:[>›»/]\s*[^>›»/\n]{1,20}){1,6}", re.IGNORECASE)
LOGIN = re.compile(r"登录后(?:你|您)?可以|登录\s*[/|]\s*注册|请先登录|log in to ", re.IGNORECASE)


def _cut(text: str, start: int, end: int, kind: str) -> Edit:
    """The span with the blanks around it; one paragraph break stays where text remains on both sides."""
    while start and text[start - 1].isspace():
        start -= 1
    while end < len(text) and text[end].isspace():
        end += 1
    return Edit(start, end, "\n\n" if start and end < len(text) else "", kind)


def drop_navigation(text: str) -> list[Edit]:
    """Lines with a fixed label and a colon, from the end of the text upwards."""
    lines = [m for m in re.finditer(r"[^\n]+", text) if m.group().strip()]
    first = None
    for line in reversed(lines[1:]):
        if not NAVIGATION.fullmatch(simplified(line.group()).strip()):
            break
        first = line.start()
    return [] if first is None else [_cut(text, first, len(text), "nav_tail")]


def promotion_score(sentence: str) -> int:
    """How much a sentence advertises; 3 and more is advertising."""
    plain = simplified(sentence)
    score = sum(weight for weight, sign in SIGNS if sign.search(plain))
    if score == 0:
        return 0  # words alone prove nothing: contact and rental may be the subject
    return score + min(2, len(set(CONTACT.findall(plain)))) + min(3, len(set(OFFER.findall(plain))))


def _is_counting(sentence: str) -> bool:
    """1、2、4、8、16: a list of sizes, not a telephone."""
    digits = [int(d) for d in re.findall(r"(?<!\d)\d(?!\d)", sentence)]
    return len(digits) >= 3 and all(a < b for a, b in pairwise(digits))


def drop_promotion(text: str) -> list[Edit]:
    """Advertising sentences, from the end of the last paragraph upwards; an address split from its call goes along."""
    paragraphs = list(PARAGRAPH.finditer(text))
    if not paragraphs:
        return []
    last = paragraphs[-1]
    first = None
    for sentence in reversed(list(SENTENCE.finditer(text, last.start(), last.end()))):
        score = 0 if _is_counting(sentence.group()) else promotion_score(sentence.group())
        call = CONTACT.search(sentence.group()) and len(sentence.group()) < 40
        if score >= 3 or (first is not None and call):
            first = sentence.start()
        else:
            break
    if first is None:
        return []
    start = first
    while start and text[start - 1].isspace():
        start -= 1
    return [Edit(start, len(text), "", "promo_tail")] if start else []


def drop_head(text: str) -> list[Edit]:
    """Byline, breadcrumb and login box among the first three paragraphs, when an article follows."""
    paragraphs = list(PARAGRAPH.finditer(text))
    edits = []
    for paragraph in paragraphs[: min(3, len(paragraphs) - 1)]:
        plain = simplified(paragraph.group()).strip()
        byline = "\n" not in plain and len(FIELD.findall(plain)) >= 2 and len(FIELD.sub("", plain).strip()) <= 12
        if byline or BREADCRUMB.fullmatch(plain) or (LOGIN.match(plain) and len(plain) < 60):
            edits.append(_cut(text, *paragraph.span(), kind="page_head"))
    return edits


def drop_keyword_lines(text: str) -> list[Edit]:
    """A first or last line of three or more joined keywords that share a stem found nowhere else."""
    paragraphs = list(PARAGRAPH.finditer(text))
    if len(paragraphs) < 2:
        return []
    edits = []
    for paragraph in (paragraphs[0], paragraphs[-1]):
        segments = re.split(r"[-_|]", paragraph.group().strip())
        stem = segments[0][:4]
        spam = len(segments) >= 3 and len(stem) >= 3 and not stem.isascii() and all(s.startswith(stem) for s in segments)
        if spam and stem not in text[: paragraph.start()] + text[paragraph.end() :]:
            edits.append(_cut(text, *paragraph.span(), kind="injected_spam"))
    return edits


def drop_repeats(text: str) -> list[Edit]:
    """A paragraph equal to the one before it (table rows and code apart)."""
    paragraphs = list(PARAGRAPH.finditer(text))
    edits = []
    for before, now in pairwise(paragraphs):
        same = "".join(before.group().split()) == "".join(now.group().split())
        if same and len(now.group().strip()) > 2 and not now.group().startswith(("|", "```", "    ", "---", "***")):
            edits.append(Edit(before.end(), now.end(), "", "duplicate"))
    return edits
