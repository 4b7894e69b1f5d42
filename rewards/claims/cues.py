"""Words around a number that say what it is: which price, which time, a bound, a quantity."""

from __future__ import annotations

import re

from rewards.claims.claim import Bound

_COUPON = r"(?:coupons?|discounts?|vouchers?)"

_NOT_BEFORE = re.compile(
    r"(?:\bnot|n't(?: be| cost)?|\bno longer|\binstead of|\brather than|\bnever)\s+(?:a |an |the |just |only )?$"
)
_ASKING = re.compile(r"\W*(?:isn't|aren't|wasn't|doesn't|don't|won't|ain't)\b")
_JUST_NOT = re.compile(r"\bnot (?:just|only)\s*$|\b(?:instead of|rather than)\s*$")
_AT_MOST = re.compile(
    r"\b(?:within|in|under|below|less than|fewer than|at most|up to|no more than|not more than"
    r"|max(?:imum)?(?: of)?|inside"
    r"|no later than|not longer than|by)\s*(?:just |only |about |the next )*$"
)
_MOST_AFTER = re.compile(r"\s*(?:or less|or fewer|at (?:the )?most|max\b|tops|or sooner|or faster)")
_AT_LEAST = re.compile(
    r"\b(?:over|more than|at least|above|upwards? of|from|starting at|starting from|minimum(?: of)?|beyond"
    r"|exceed(?:s|ing)?)\s*$"
)
_LEAST_AFTER = re.compile(r"\s*(?:or more|and up|or above|plus\b|upwards)")
_ABOUT = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|close to|some|circa"
    r"|(?:just|barely|slightly|a (?:shade|touch|hair|bit|little|tad)) (?:over|above|under|below|more than"
    r"|less than))|~)\s*$"
)


def negated(before: str) -> bool:
    """The words before the number deny it."""
    return (
        _NOT_BEFORE.search(before) is not None
        and not _JUST_NOT.search(before)
        and not _ASKING.match(before)  # "isn't 79 yuan a steal?" says that it is
    )


def bound(before: str, after: str) -> Bound:
    """How the number between two stretches is meant."""
    if _ABOUT.search(before) or re.match(r"\s*or so\b", after):
        return Bound.ABOUT
    if _AT_MOST.search(before) or _MOST_AFTER.match(after):
        return Bound.AT_MOST
    if _AT_LEAST.search(before) or _LEAST_AFTER.match(after):
        return Bound.AT_LEAST
    return Bound.EXACT


_JOINT = re.compile(r",(?!\d)|\band\b|\bor\b|;")


def near(before: str, after: str) -> tuple[str, str]:
    """The context that belongs to a number alone: back to the last joint, on to the next one."""
    cut = [m.end() for m in _JOINT.finditer(before)]
    stop = _JOINT.search(after)
    return before[cut[-1] if cut else 0 :], after[: stop.start() if stop else len(after)]


_COUPON_AFTER = re.compile(rf"[\s-]*(?:\w+ )?(?:\w+ )?{_COUPON}\b")
_COUPON_BEFORE = re.compile(
    r"\b(?:coupons?|vouchers?) (?:of|for|worth|is|takes|saves|gives|knocks|takes off|saves you|gives you|cuts"
    r"|deducts)\b[\w ]{0,15}$"
)
_OFF_AFTER = re.compile(
    rf"[\s-]*(?:(?:comes? |goes? |taken |is taken |are taken )?off\b|rebate|reduction|cheaper|less\b|saved"
    rf"|savings?|(?!and\b|with\b|after\b|the\b|or\b|before\b|but\b)(?:\w+ )?(?:\w+ )?{_COUPON}\b)"
)
_AFTER_COUPON = re.compile(rf"[\s-]*(?:after|with|when|once|using|including|by|before|without)\b.*{_COUPON}")
_LESS_THAN = re.compile(
    r"\s*(?:less|cheaper|lower|below|under|down)(?: than| on| from)? (?:the |its |our )?(?:list|original|usual"
    r"|regular|normal|full|live)"
)
_OFF_BEFORE = re.compile(
    rf"\b(?:save|saves|saving|minus|discount of|{_COUPON} (?:of|for|worth|is|takes|saves you)|off by|reduced by"
    r"|drops? by|cheaper by|take away|subtract)\s*(?:you |an? |another |up to |a further |an extra |extra |about )*$"
)
_TAKES_BEFORE = re.compile(
    rf"\b(?:gives?|takes?|knocks?|cuts?|deducts?|taking|get|gets|{_COUPON} gives?)\s*(?:you |off |an? |another "
    rf"|extra )*$"
)
_TAKES_OFF = re.compile(r"[^,.;]{0,25}\boff\b")
_HAS_OFF = re.compile(rf"\boff\b|{_COUPON}|\bsaves?\b|\bsaving|\bgift\b|\bdeal\b")
_OVER_STRONG = re.compile(
    r"\b(?:spend|spends|spending|orders? (?:of|from|reaching|over|above|worth)|reach(?:es|ing)?|every|for every"
    r"|minimum spend(?: of| is)?|purchases? (?:of|over|above)|once you (?:hit|reach|spend)"
    r"|(?:subtotal|cart|basket|total) (?:of|over|above|reaches))\s*(?:at least |over |more than |a |an )*$"
)
_OVER_WEAK = re.compile(
    r"\b(?:over|above|(?<!lands )(?<!land )on|per|from|more than|at least|for|beyond|when you buy)\s*(?:each "
    r"|every )?$"
)
_OVER_AFTER = re.compile(r"\s*(?:or more|and up|and above|minimum spend|spent\b)")
_OFF_EARLIER = re.compile(rf"\b(?:off|{_COUPON}|saved?|saves)\b(?:[\s\w'-]{{0,30}})$")
_GET_OFF = re.compile(r"\s*,?\s*(?:and |to )?(?:you |we )?(?:get|take|save|gives?|knock|comes? with)\b")

_LIST = re.compile(
    r"\b(?:was|were|list(?:ed)?|original(?:ly)?|regular(?:ly)?|usual(?:ly)?|normal(?:ly)?|before|retail|tag"
    r"|instead of|down from|rather than|(?:back|goes|go|going|rises|jumps) (?:up )?to|used to be|full price"
    r"|crossed[- ]out|sticker|marked at|start(?:s|ed) (?:\w+ ){0,3}?at)\b"
)
_BEFORE_COUPON = re.compile(rf"\b(?:before|without)\b (?:the |any |your |a )?(?:\w+ )?{_COUPON}")
_FINAL = re.compile(
    rf"\b(?:after|final|costs? (?:you|me|everyone)|set you back|pays?|paying|total|in the end|comes? (?:down "
    rf"|out )?(?:to|at)|all in|all told|net|works out"
    rf"|with (?:the |a |an |your |both |all |every )?(?:[\w-]+ )?(?:[\w-]+ )?{_COUPON}|{_COUPON} applied"
    rf"|lands? (?:at|on)|ends up"
    r"|bring(?:s|ing)? (?:it |that |the price |you )?(?:down )?to|out of pocket|checkout|all (?:the )?discounts)\b"
)
_LIVE = re.compile(r"\b(?:live|stream|room)(?:'s)?(?: room)? (?:price|deal|special|is)|\b(?:live price|in the live)\b")
_NOW = re.compile(r"\b(?:now|current(?:ly)?|today|right now|at the moment|down to)\b")
_MEMBER = re.compile(r"\bmembers?(?:hip)?(?:'s?)?\b")
_FLASH = re.compile(r"\bflash\b")
_POST_BEFORE = re.compile(
    r"(?:\b(?:shipping|postage|freight|delivery)(?: (?:fee|cost|charge)s?)?)\s*(?:is|costs?|of|:|at"
    r"|comes to)?\s*(?:only |just )?$"
)
_POST_AFTER = re.compile(r"\s*(?:for |in )?(?:shipping|postage|freight|delivery)\b")
_FROM = re.compile(r"\bfrom\s*$")
_TO_AFTER = re.compile(r"\s*(?:down )?to\b")
_BASE_AFTER = re.compile(r"\s*(?:minus|less(?! than)|list price|original)\b")
_TOTAL = re.compile(
    r"\b(?:total|together|altogether|both|in all|for (?:2|two|3|three|the (?:pair|two|set))|sum"
    r"|the (?:whole )?lot|(?:[2-9]|two|three|four|five) (?:pieces|of|pcs|sets|cost|come|for|link|pairs))\b"
    r"|\b(?:[2-9]|two|three|four|five|six) (?:_|(?!days|hours|weeks|minutes|coupons|sizes|colou?rs)\w+s\b)"
)
_EACH_AFTER = re.compile(r"\s*(?:each|apiece|a piece|per piece|per item)\b")
_EACH = re.compile(r"\b(?:each|apiece|per piece|a piece|per item)\b")


def money_role(sentence: str, before: str, after: str) -> str:
    """Which amount it is: ``list``, ``live``, ``final``, ``now``, ``member``, ``flash``, ``off``, ``over``, ``base``,
    ``each``, ``postage``, or ``""`` when the words leave it open.

    Args:
        sentence: all of it.
        before: from the number before (or the sentence's start) to this one.
        after: from this number's unit to the next one (or the sentence's end).
    """  # noqa: D205
    close_before, close_after = near(before, after)
    if _LESS_THAN.match(after):
        return "off"
    if _EACH_AFTER.match(after):
        return "each"
    if _HAS_OFF.search(sentence):
        role = _off_or_over(before, after, close_before)
        if role:
            return role
    if _POST_BEFORE.search(close_before) or _POST_AFTER.match(after):
        return "postage"
    if _MEMBER.search(close_before) or _MEMBER.search(close_after):
        return "member"
    if _FROM.search(before) and _TO_AFTER.match(after):
        return "list"
    if _BASE_AFTER.match(after):
        return "base"
    for context in (close_before, close_after):
        if _FLASH.search(context):
            return "flash"
        if _BEFORE_COUPON.search(context):
            return "live"
        if _FINAL.search(context):
            return "final"
        if _LIVE.search(context):
            return "live"
        if _LIST.search(context):
            return "list"
    return "now" if _NOW.search(close_before) or _NOW.search(close_after) else ""


def _off_or_over(before: str, after: str, close_before: str) -> str:
    if _OVER_AFTER.match(after) or _OVER_STRONG.search(before):
        return "over"
    if _OFF_AFTER.match(after) and not _AFTER_COUPON.match(after):
        return "coupon" if _COUPON_AFTER.match(after) or _COUPON_BEFORE.search(close_before) else "off"
    weak = _OVER_WEAK.search(before)
    if weak and (
        _OFF_EARLIER.search(before[: weak.start()]) or (weak[0].startswith(("over", "above")) and _GET_OFF.match(after))
    ):
        return "over"
    if _OFF_BEFORE.search(close_before):
        return "coupon" if _COUPON_BEFORE.search(close_before) else "off"
    return "off" if _TAKES_BEFORE.search(close_before) and _TAKES_OFF.match(after) else ""


def is_total(sentence: str, before: str, after: str) -> bool:
    """The sentence speaks of several pieces or items at once, and the words beside the number not of each."""
    return _TOTAL.search(sentence) is not None and not _EACH.search(" ".join(near(before, after)))


_TIMES = (
    (re.compile(r"\b(?:twice|double|(?:two|2) times)\s*(?:the |those |these )?$"), 2.0),
    (re.compile(r"\b(?:triple|thrice|(?:three|3) times)\s*(?:the |those |these )?$"), 3.0),
    (re.compile(r"\bhalf\s*(?:of |the |those |these )*$"), 0.5),
)


def times(before: str) -> float:
    """How often the amount behind these words is meant: ``twice 10 watts``."""
    return next((factor for pattern, factor in _TIMES if pattern.search(before)), 1.0)


TIME_ROLES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(rf"\b(?:{words})\b"))
    for name, words in (
        (
            "return",
            r"returns?|returned|returning|refunds?|exchange[sd]?|no[- ]reason|change your mind|take it back"
            r"|money back"
            r"|(?:sen[dt]|sending|giv\w+|bring|ship) (?:it|them|one|things|this|that|the \w+) back|returnable",
        ),
        ("warranty", r"warrant(?:y|ies)|guarantee[d]?|repairs?|covered|covers?|coverage"),
        ("charge", r"charg\w+|recharge\w*|full battery"),
        ("shelf", r"shelf|expir\w+|best before|keeps?|stays? (?:fresh|good)|use within|good for|shelf[- ]life"),
        ("flash", r"flash|ends?|ending|sale|countdown|offer|deal|promotion|until|runs? out"),
        (
            "delivery",
            r"arriv\w+|deliver\w*|reach\w*|on the (?:way|road) to you|(?:days?|hours?) on the way|expect"
            r"|gets? (?:it|them|there|to you|here)|receiv\w+|transit|doorstep|your door"
            r"|with you|on the (?:road|way)\b|in your hands|travels?|turns up|there in|be there|after that"
            r"|courier|home in|eta",
        ),
        (
            "dispatch",
            r"ships|ship|shipped|dispatch\w*|sen[dt]s?|(?<!you )leaves?|left (?:the|our)|goes out|go out|going out"
            r"|out the door|pack(?:ed|s|ing)?|warehouse|post(?:ed|s)?|on its way|sent out|handed to",
        ),
        ("shipping", r"shipping|logistics|wait"),
    )
)
"""What a span of time is about, by the nearest of these words; earlier entries win within one word."""

_SPANS = re.compile(r"\d[\s-]*(?:minute|hour|day|week|month|year)")
_DAY_ROLES = (
    ("return", re.compile(r"\b(?:return (?:it|them|this)|to return|send (?:it|them) back)\b")),
    (
        "delivery",
        re.compile(
            r"\b(?:arriv\w+|deliver\w*|(?:have|get|receive|got) (?:it|them|yours|one|your)|with you|be there"
            r"|at your door|reach\w*)\b"
        ),
    ),
    (
        "dispatch",
        re.compile(
            r"\b(?:ships?|shipped|shipping|dispatch\w*|goes out|go out|leaves|sen[dt] (?:it|them|out)"
            r"|on its way|sent)\b"
        ),
    ),
)


def day_role(clause: str) -> str:
    """What a day by name is about, ``""`` when it is no statement about parcels ("today's price")."""
    return next((name for name, pattern in _DAY_ROLES if pattern.search(clause)), "")


_HOST_TIME = re.compile(
    r"\b(?:give me|let me (?:check|look|see|find|ask|get|try)|(?:i'll|i will) (?:check|look|find|ask|get back"
    r"|be|come|try|see|tell|know)"
    r"|ask (?:me )?again|try again|check again|look again|wait a|bear with|hold on"
    r"|come back|back in|hang on|back to you|moment|please wait)\b"
)


def time_role(sentence: str, before: str, after: str) -> str:
    """What a span of time is about, ``""`` when the sentence leaves it open."""
    close_before, close_after = near(before, after)
    for context, forward in ((close_before, False), (close_after, True), (before, False), (after, True)):
        best: tuple[int, str] | None = None
        for name, pattern in TIME_ROLES:
            for match in pattern.finditer(context):
                distance = match.start() if forward else len(context) - match.end()
                if best is None or distance < best[0]:
                    best = (distance, name)
        if best is not None:
            return best[1]
    if len(_SPANS.findall(sentence)) > 1:
        return ""
    names = {name for name, pattern in TIME_ROLES if pattern.search(sentence)}
    return names.pop() if len(names) == 1 else ""


def host_time(before: str, sentence: str, short: bool) -> bool:
    """The time is the host's own ("give me two minutes"), no statement about the goods."""
    return _HOST_TIME.search(sentence if short else before[-40:]) is not None


_QUANTITY_BEFORE = re.compile(
    r"\b(?:for|buy|buying|get|take|taking|order|ordering|grab|want|pick|quantity|price of|total of|total for)"
    r"\s*(?:the |a |any |all |quantity |up )*$"
)
_QUANTITY_AFTER = re.compile(
    r"\s*(?:it's|it is|it'll|that's|costs?|comes?|you pay|you'd pay|for|=|total|makes?|would|will be|is \d|are \d|:)"
)
_IN_STOCK = re.compile(r"\b(?:left|stock|remain\w*|available|warehouse|on hand|to go)\b")
_STOCK_AFTER = re.compile(
    r"(?:\s+[\w/'-]+){0,5}?\s+(?:left|in stock|remaining|remain|available|on hand|in the warehouse)\b"
)
_STOCK_BEFORE = re.compile(
    r"\b(?:the |our )?last\s*$|\b(?:stock|inventory)(?: (?:is|of|at|are|still|only|just|now|exactly|about|around"
    r"|over|more than|the|last"
    r"|for|this"
    r"|level|shows|says|\w+/\w+))*[\s:]*$"
    r"|\b(?:we|we've|there|i)(?:'s| are| is| still| do| have| got| only| just| about| around| over| more than"
    r"| exactly)+\s*$"
)
_PRICE = re.compile(r"\b(?:prices?|priced|costs?|pay|yuan|rmb)\b|¥")
_TYPE_CUE = re.compile(
    r"\b(?:type|press|write|key in|tap|step|model|page|top|version|usb|chat|posting|typing|typed|number|the)"
    r"\s*(?:an? |the |your )?['\"]?$"
)


def is_offer(before: str, sentence: str) -> bool:
    """A number before an item that somebody might buy ("2 shirts are 188 yuan"), not one in stock."""
    return _QUANTITY_BEFORE.search(before) is not None or _PRICE.search(sentence) is not None


def is_label(before: str) -> bool:
    """The number is a thing to type or a name ("type 1", "step 2"), no statement."""
    return _TYPE_CUE.search(before) is not None


def is_quantity(unit_text: str, before: str, after: str) -> bool:
    """The number of pieces somebody might buy, not a number in stock."""
    stocky = _IN_STOCK.search(unit_text + after[:40])
    return stocky is None and bool(_QUANTITY_BEFORE.search(before) or _QUANTITY_AFTER.match(after))


def is_stock(before: str, after: str) -> bool:
    """A number without a unit that counts what is left."""
    if _PRICE.search(before) or re.match(r"\s*(?:off|coupon)", after):
        return False
    return _STOCK_BEFORE.search(before) is not None or _STOCK_AFTER.match(after) is not None


def is_plain_quantity(before: str, after: str, sentence: str) -> bool:
    """``"for 2, it's 178 yuan"``: a bare number of pieces beside a price."""
    follows = re.match(
        r"\s*(?:,|it's|it is|that's|you pay|is|the total|total|together|of|=|:|_|[.!?]*\s*$|\w+s\b)", after
    )
    return bool(_QUANTITY_BEFORE.search(before) and follows and _PRICE.search(sentence))
