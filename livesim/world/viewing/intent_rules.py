"""Patterns that tell what a comment of a log wants, in English and Chinese; ``intents`` says in which order."""

from __future__ import annotations

import re

from livesim.types import Intent


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)


GREETING = _words(
    r"(?:hi+|hello+|hey+|hiya|good (?:morning|afternoon|evening)|morning|evening|greetings"
    r"|(?:i )?just (?:got here|joined|arrived)|first time here)"
    r"(?:,? (?:everyone|everybody|all|guys|there|host|from .{1,20}))?"
    r"|(?:主播|大家|各位)?(?:你好|您好|好|晚上好|早上好|下午好|来了|来啦|hi)"
)
PARTICIPATION = _words(
    r"(?:\+?\d{1,3}|(\d)\1{2,}|(?:i )?(?:just )?(?:bought|ordered)(?: (?:it|one|mine))?|got it|me me me|in the draw"
    r"|已拍|拍了|拍下了|已下单|买了|抢到了|扣\d)"
)
AI = _words(
    r"\b(?:are|is) (?:you|this|the host|it|she|he) (?:really |even )?(?:an? )?(?:real )?"
    r"(?:ai\b|a\.i\.|robot|bot\b|human|person|machine|virtual|digital human)|是(?:ai|机器人|真人|数字人)"
)
COMMAND = _words(
    r"\b(?:ignore|forget|disregard) (?:all |your |the |any |previous |above |everything )+"
    r"|\bsystem prompt\b|<\|\w+\|>|</?(?:tool_call|think|system)>|\[/?INST\]|\bdeveloper mode\b"
)
ABUSE = _words(
    r"\b(?:scam(?:mers?)?|frauds?|liars?|junk|garbage|rubbish|thieves)\b|\b(?:all|is|are|so) fake\b"
    r"|骗子|假货|垃圾|智商税"
)
ORDER = _words(
    r"\bmy (?:order|parcel|package|refund)\b|\[order\]|\brefund(?:ed)?\b(?! (?:window|policy|period|time))"
    r"|\bcomplain(?:t)?\b"
    r"|\barrived (?:broken|damaged)\b"
    r"|我的(?:订单|快递|包裹)|退款|投诉|没收到|破损|坏了"
)
ITEM: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        Intent.COMPARISON,
        _words(
            r"\bcheaper\b(?: (?:elsewhere|in other shops?|at other shops?))?|\bother (?:shop|brand|store|seller)s?\b"
            r"|\btoo (?:expensive|dear|pricey)\b|\bbetter than\b|太贵|好贵|别家|便宜点"
        ),
    ),
    (
        Intent.PRICE,
        _words(
            r"\bhow much(?: is| are| does| do| for)?\b(?! (?:stock|longer|time|of|left))"
            r"|\bgoing for\b|\b(?:the )?total for\b|\bprices?\b|\bcosts?\b"
            r"|\bhow many yuan\b|多少钱|什么价|价格|几多钱|怎么卖|多少米"
        ),
    ),
    (
        Intent.PROMOTION,
        _words(
            r"\bcoupons?\b|\bdiscount(?:s|ed)?\b|\bpromo(?:tion)?s?\b|\bvouchers?\b|\bdeals?\b|\b(?:free )?gifts?\b"
            r"|\b(?:special )?offers?\b|\bon sale\b|优惠券?|满减|赠品|打折|有券"
        ),
    ),
    (Intent.SIZE, _words(r"\bsiz(?:e|es|ing)\b|尺码|什么码|穿多大|多大码")),
    (
        Intent.STOCK,
        _words(
            r"\b(?:in|out of) stock\b|\bstock\b|\bsold out\b|\bavailable\b|\bhow many (?:are )?left\b"
            r"|\bleft\b(?=\s*\??$)|\brun out\b|\bremain(?:s|ing)?\b"
            r"|\bstill get\b|\brestock(?:ed|ing)?\b|\bstill (?:have|there)\b"
            r"|有货|库存|还有吗|补货|断货|卖完|有现货"
        ),
    ),
    (
        Intent.SHIPPING,
        _words(
            r"\bship(?:s|ped|ping)?\b|\bdeliver(?:y|s|ed)?\b|\barriv(?:e|es|al)\b|\bdispatch(?:ed)?\b"
            r"|发货|几天到|多久到|什么时候到"
        ),
    ),
    (
        Intent.RETURNS,
        _words(
            r"\breturn(?:s|ed|able)?(?: policy)?\b"
            r"|\b(?:sen[dt]|take|give)\b.{0,30}\bback\b|\brefund (?:window|policy|period|time)\b"
            r"|\bexchange(?:d)?\b|\bwarranty\b"
            r"|\bfreight insur(?:ance|ed)\b|\binsure the return freight\b|退货|退换|无理由|运费险|保修|质保"
        ),
    ),
    (
        Intent.SHOW_ITEM,
        _words(
            r"\b(?:show|see|present|introduce|push|put up|look at)\b(?: (?:me|us|the card of|the card for))?"
            r"|讲解|讲一下|介绍|看一下|看看"
        ),
    ),
)
AFTER_COUPON = _words(r"\bafter (?:the |all )?(?:coupons?|discounts?)\b|券后")
"""Says which price is meant, and asks for no coupon."""

FREE_SHIPPING = _words(r"\bfree (?:shipping|delivery)\b|包邮")
"""About the fee and not about the time: no need is made of it."""

LINK = _words(
    r"(?:\b(?:link|item|number|no\.?|nr\.?|product|lot)\s*#?|#|链接|第)\s*(?P<a>\d{1,3})(?!\d)(?:\s*号)?(?:链接|链|款)?"
    r"|(?<!\d)(?P<b>\d{1,3})\s*(?:号|號)(?:链接|链|款)?"
    r"|\b(?:link|item|number)\s+(?P<w>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
)
NUMERALS = {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), start=1
    )
}
BODY = (
    _words(r"(?P<h>1[3-9]\d|20\d)\s*cm\D{0,20}?(?<!\d)(?P<k>\d{2,3})\s*(?:kg|kilos?|公斤)"),
    _words(r"(?<!\d)(?P<k>\d{2,3})\s*(?:kg|kilos?|公斤)\D{0,20}?(?P<h>1[3-9]\d|20\d)\s*cm"),
    _words(r"(?<!\d)(?P<h>1[3-9]\d|20\d)\s*(?:cm)?\s*[/, ]+\s*(?P<k>[3-9]\d|1[0-4]\d)\s*(?:kg)?(?![\d斤])"),
    _words(r"(?<!\d)(?P<h>1[3-9]\d|20\d)\s*(?:cm)?[/, ]*(?P<jin>\d{2,3})斤"),
)
QUANTITY = _words(
    r"\b(?P<n>[2-9]|1\d|two|three|four|five) (?:of|pieces?|pcs|sets?|pairs?|units?)\b|(?P<c>[2-9])(?:件|个|份|套)"
)
_COMMON = """
a about after again been cheers dear excuse oh pardon question showing sorry
again all also am an and any anyone are ask at be buy by can cm come comes could current day days dear
did different do does each else fast final for friends from get give go going gonna good got guys had has have hello
help here hey hi host how i if in is it item its just kg know left like link live long make many may me mine more much
my need now number of off ok on one only or order others out per piece pieces please pls policy possible product quick
quickly really right say screen send sent should show so some soon still take tell than thank thanks that the their
them then there these they this those time to today tonight total u us very wait want was we week what when where which
who will with work works would yes you your yours yuan card back
"""
FILLER = frozenset(_COMMON.split())
"""Words that name no thing."""

_POLITE = "please pls plz hi hello hey host thanks thank you the a can could me us dear and one"
COURTESY = frozenset(_POLITE.split())
"""Words that may stand beside a bare link number, which then asks to be shown the item."""

DECORATION = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]|[:;]-?[)(DPp]")
"""Pictures and smileys."""

LETTERS = _words(r"[a-z][a-z'-]*")
CJK = re.compile("[\u4e00-\u9fff]")
CJK_FILLER = re.compile(
    "[这那个款件的吗呢啊呀吧么有没什么时候是能可以主播请问想要现在在今天我你们还多少几了和跟一下多久链接号宝贝]"
)
CJK_LEFT = 1
"""So many Chinese characters may be left over in a comment that means the item on air. An assumption."""
