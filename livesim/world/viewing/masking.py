"""Masks personal data in comments: mail addresses, phones, order and card numbers, addresses, contacts elsewhere."""

from __future__ import annotations

import re
from collections import Counter

_WIDE = {0xFF10 + digit: str(digit) for digit in range(10)}
_WIDE |= {0xFF20: "@", 0xFF0B: "+", 0xFF0D: "-"}
_MARKS = re.compile(r"\d|@|[(\[]at[)\]]|ddress|地址|微信|威信|加我")
"""Without any of these there is nothing to mask; most comments have none."""
_HIDDEN = re.compile("[\u200b-\u200d\u2060\ufeff\u00ad]")

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("email", re.compile(r"[\w.+-]+ ?(?:@|\(at\)|\[at\]) ?[\w-]+(?:\.[\w-]+)+", re.I)),
    (
        "contact",
        re.compile(
            r"\b(?P<keep>(?:we-?chat|weixin|vx|wx|qq|whats ?app|telegram|line id|snapchat|instagram)"
            r"(?: (?:id|no\.?|number|is|me at))*\s*[:=\uff1a]?\s*)@?(?=[\w-]*\d)[\w.-]{5,}"
            r"|(?P<keep2>(?:微信|威信|扣扣|加我)号?\s*[:=\uff1a]?\s*)@?[A-Za-z\d][\w-]{4,}",
            re.I,
        ),
    ),
    (
        "order",
        re.compile(
            r"\b(?P<keep>(?:order|tracking|parcel|waybill)(?: (?:no\.?|number|id|is|code))*\s*[:#\uff1a]*\s*)"
            r"#?(?=[A-Z-]*\d)[A-Z\d][A-Z\d-]{3,}\b"
            r"|(?P<keep2>(?:订单|单号|快递|运单)(?:号|编号)?(?:是)?\s*[:#\uff1a]*\s*)[A-Za-z\d-]{4,}"
            r"|\b[A-Z]{1,3}\d{4,20}\b",
            re.I,
        ),
    ),
    ("id", re.compile(r"(?<!\d)\d{17}[\dXx](?![\dA-Za-z])|(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)")),
    ("card", re.compile(r"(?<!\d)(?!(\d)\1+(?!\d))\d{4}([ -]?)\d{4}\2\d{4}\2\d{1,7}(?!\d)")),
    (
        "phone",
        re.compile(
            r"(?<![\w.])(?:\+\d{1,3}[ .-]?(?:\(?\d{1,4}\)?[ .-]?){1,4}\d{2,4}"
            r"|1[3-9]\d[ -]?\d{4}[ -]?\d{4}"
            r"|\(?0?\d{2,4}\)?[ .-]\d{3,4}[ .-]\d{3,4}"
            r"|0\d{2,3}-?\d{7,8})(?!\d)"
        ),
    ),
    (
        "address",
        re.compile(
            r"\b\d{1,5}[A-Za-z]?,? (?:(?!(?:of|the|on|in|at|for|to|and|pcs|pieces?|days?|minutes?|hours?|cm|kg)\b)"
            r"(?:[A-Za-z][\w'.-]*|\d+(?:st|nd|rd|th)) ){1,3}"
            r"(?:street|st|road|rd|avenue|ave|lane|ln|drive|boulevard|blvd)\b\.?"
            r"(?:,? (?:apt|apartment|unit|suite|flat|room|#) ?\.?\w{1,6})?(?-i:,? [A-Z][a-z]+)?(?:,? \d{5}(?:-\d{4})?)?"
            r"|\b(?P<keep>(?:my |the |home |shipping |delivery )*address(?: is|:)\s*)[^.!?;\n]{5,120}"
            r"|(?P<keep2>地址(?:是)?\s*[:\uff1a]?\s*)[^。！？;\s]{5,80}"
            r"|(?:(?![到在寄发去])[\u4e00-\u9fff]){2,3}?[省市区县][\u4e00-\u9fff\d]{2,30}[路街道巷弄号栋幢室]\d*[号栋幢弄室]?",
            re.I,
        ),
    ),
    ("number", re.compile(r"(?<![\d.,])(?!(\d)\1+(?!\d))\d{9,}(?![\d.,]\d)")),
)


def mask(text: str) -> tuple[str, Counter[str]]:
    """``text`` with each piece of personal data replaced by its kind, e.g. ``[phone]``, and how many of each.

    Patterns find what is written plainly: they err on the side of masking for long numbers, leave prices, sizes and
    strings of one repeated digit alone, and don't know names of people. Masking twice changes nothing more.
    """
    text = _HIDDEN.sub("", text).translate(_WIDE)
    found: Counter[str] = Counter()
    if not _MARKS.search(text):
        return text, found
    for kind, pattern in _KINDS:

        def masked(match: re.Match[str], kind: str = kind) -> str:
            parts = match.groupdict()
            found[kind] += 1
            return (parts.get("keep") or parts.get("keep2") or "") + f"[{kind}]"

        text = pattern.sub(masked, text)
    return text, found
