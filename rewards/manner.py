"""How something is said: markup, echo, heaps of numbers, refusals, excuses, next steps, friendliness."""

from __future__ import annotations

import dataclasses
import re

from rewards.claims import ClaimKind, Reading
from rewards.signals import Signals

_NUMERIC = frozenset(
    {ClaimKind.MONEY, ClaimKind.NUMBER, ClaimKind.COUNT, ClaimKind.TIME, ClaimKind.PERCENT, ClaimKind.MEASURE}
)
QUOTED = 4
"""A comment of so many words stands in a reply because it is quoted."""
MARKUP = re.compile(
    r"<\s*/?\s*\|?(?:tool_call|tool_response|think|im_start|im_end|system|assistant|user|function)|\|>|```|=>"
    r"|\[/?inst\]"
    r'|"[a-z]+(?:_[a-z]+)+"(?!\s*:)'  # the name of a tool, read out
    r"|^\s*#+ \w|^\s*(?:system|assistant|user|tool)\s*:|load_skill",
    re.I | re.M,
)
RAW = re.compile(
    r'\{[^{}]{0,400}"?[\w ]+"?\s*:|"[\w ]+"\s*:|\[[^\]]*"[^\]]*\]|\b[a-z]+_[a-z_]+\b(?:\s*[:=])?'
    r"|(?<!\S)[a-z]+:[a-z][\w/]*(?!\S)"
)
CANT = re.compile(
    r"\b(?:can't|cannot|can not|couldn't|could not|can't quite|unable|not able|don't have|do not have"
    r"|don't know|do not know|isn't|is not"
    r"|not sure|won't|doesn't (?:show|say|list|give|tell|load|come)|didn't (?:get|load|come|work|answer|go)"
    r"|failed|fails|crash\w*|broken|empty|garbled|no (?:data|answer|information|info|word|figure|luck)"
    r"|not (?:loading|answering|responding|showing|listed|stated|given|available|working|visible|there|found)"
    r"|refus\w+|missing|down|trouble|timed out)\b"
)
REASON = re.compile(
    r"\b(?:because|since|system|tool|page|lookup|look-up|service|server|database|data|connection|network"
    r"|timed out|timeout|not answering|not responding"
    r"|not loading|down|slow|busy|overloaded|error|permission|access|allowed|doesn't (?:say|list|show|state"
    r"|give)|isn't (?:listed|stated|given|shown|there|in)|not (?:listed|stated|given|shown)|missing"
    r"|nothing (?:found|listed)|sheet|don't want to guess|won't guess|not to guess|rather not guess|failed"
    r"|fails|crash\w*|trouble|stuck|froze\w*|won't make \w+ \w+ up|glitch|hiccup|broken"
    r"|garbled|came back (?:empty|broken))\b"
)
NEXT = re.compile(
    r"\b(?:please|check|ask (?:me )?again|try again|try me|look at|(?<!can't )(?<!cannot )(?<!couldn't )see"
    r"|try the|tap|open|card|item page|product page"
    r"|details? page|order page|the page|in a (?:minute|moment|bit|second|few)|shortly|soon"
    r"|i'll (?:check|look|try|ask|find|get|come|tell|let|update|confirm|say|keep|retry|be)|let me (?:check|look"
    r"|try|ask|find|confirm|get|see)|customer service|support team|colleague|message|stay tuned|give me|hang on"
    r"|hold on|bear with"
    r"|once (?:it|the)|as soon as|when it|next best|meanwhile|for now|instead|what i (?:can|do)|another link"
    r"|other links|pick)\b"
)
CHECK = re.compile(
    r"\b(?:let me (?:just |quickly )?(?:check|look|see|confirm|find|ask|verify|get)|i(?:'ll| will"
    r"|'m going to) (?:just |quickly |go |go and )?(?:check|look|find|ask|confirm|get back|verify|see|come back"
    r"|tell you)|checking|looking (?:it|that|into)|one (?:moment|second|sec)|hold on|give me a)\b"
)
POINTER = re.compile(
    r"\b(?:item|product|details?|order|coupon) (?:page|card|section|list)|on the (?:card|page|screen|link)"
    r"|(?:tap|try) (?:the )?(?:link|card|item|_)|check the (?:link|card|page|item)|customer service|see the (?:link"
    r"|card|page)"
)
DECLINE = re.compile(
    r"\b(?:can't|cannot|can not|won't|will not|don't|do not|not able|unable|not going to|not something|let's"
    r"|stick to|keep to|stay with|stay on|focus on|back to|rather|only|leave that|skip|pass on|not for"
    r"|no thanks|isn't something|not my|not here)\b"
)
DECLINE_REASON = re.compile(
    r"\b(?:because|since|as|so|only|rules?|policy|platform|private|privacy|not allowed|here (?:to|for)"
    r"|about (?:the|our|these)|the items?|our (?:items?|products?|goods)|shop(?:ping)?|stream|live|room|links?"
    r"|fair|respect\w*|kind|friendly|polite|safe\w*|host|ai|products?|goods|topic|speak for|other (?:shops"
    r"|stores|brands|sellers)|know (?:about )?(?:other|their|them)|can check|what i know|what we have|these"
    r"|questions?)\b"
)
WILLING = re.compile(
    r"\blet's (?!keep\b|stick\b|stay\b|get back\b|go back\b|come back\b|focus\b|not\b|leave\b|move on\b|return\b"
    r"|turn (?:back )?to\b|talk (?:about|of) (?:the|our|these|this)\b"
    r"|look at (?:the|our|these|this)\b|be (?:kind|nice|fair))"
    r"|\b(?:can't|cannot|couldn't) (?:wait|resist|help (?:but|it|myself)|say no|refuse|agree more)\b"
    r"|\b(?:won't|wouldn't) (?:say no|refuse|mind|tell a soul)\b"
    r"|\bdon't (?:mind if|worry|tell)\b|\b(?:only|just) (?:for you|too happy|because you)\b"
    r"|\bdon't you worry\b|\bnot (?:a )?problem\b"
)
"""Looks like declining and goes along."""
FRIENDLY = re.compile(
    r"\b(?:hi|hiya|hello|hey|welcome|thank\w*|thx|glad|happy|nice|enjoy\w*|great|love\w*|sweet|good (?:morning"
    r"|evening|afternoon|day|luck|night|one|to)|cheers|haha+|hehe|appreciate\w*|see you|stay|joining|joined"
    r"|join us|congrat\w*|lucky|luck|friends?|dear|everyone|everybody|kind|fun|smile|so good|awesome|wonderful"
    r"|pleasure|cosy|cozy|welcome back|make yourself|noted|counted|got (?:you|it|your)|you're in|you are in"
    r"|in the draw|fingers crossed|well done|nice pick|way to go|hope (?:you|to|every)|feel free|take your time"
    r"|made my day|blush\w*|warm\w*|delighted|evening|morning|afternoon|pull up a chair|come on in|good)\b"
)
NO_SIZE = re.compile(
    r"\b(?:no size|none of (?:the|our) sizes|isn't a size|not a size|no fitting size|sizes? (?:don't|won't"
    r"|doesn't) (?:fit|go|run))\b"
)


def echo(reading: Reading, signals: Signals) -> bool:
    """The reply only gives a comment back."""
    said = _tokens(reading.text.lower)
    address = _tokens(signals.limits.address.lower())
    said = [w for w in said if w not in address]
    if not said:
        return False
    joined = f" {' '.join(said)} "
    for comment in signals.comments:
        words = _tokens(comment.lower())
        if not words:
            continue
        text = f" {' '.join(words)} "
        if joined in text:
            return True
        if len(words) >= 3 and text in joined and len(said) - len(words) <= 2:
            rest = joined.replace(text, " ").split()
            return not ({"yes", "no"} & set(rest) or any(word[0].isdigit() for word in rest))
    return False


def unquoted(signals: Signals) -> Signals:
    """The signals with every whole comment that the reply repeats taken out of it: what a viewer said is no answer."""
    reply = signals.reply or ""
    for comment in signals.comments:
        words = _tokens(comment)
        if len(words) >= QUOTED and _may_hold(reply, words):
            reply = re.sub(r"(?<!\w)" + r"[\W_]{1,4}".join(map(re.escape, words)) + r"(?!\w)", " ", reply, flags=re.I)
    return signals if reply == signals.reply else dataclasses.replace(signals, reply=reply)


def _may_hold(text: str, words: list[str]) -> bool:
    """Whether all words can stand in the text; cheap, and sure only of ASCII, where case is simple."""
    lower = text.lower()
    return not text.isascii() or all(word.lower() in lower or not word.isascii() for word in words)


def heap(reading: Reading) -> bool:
    """More numbers than a sentence carries, or raw data."""
    numbers = sum(claim.kind in _NUMERIC for claim in reading.claims)
    listed = numbers >= 4 and reading.words < (4 if numbers >= 5 else 2.5) * numbers
    return numbers >= 9 or listed or RAW.search(reading.text.lower) is not None


def has(lower: str, words: tuple[str, ...]) -> bool:
    """One of the words or phrases occurs, as whole words."""
    return any(word in lower and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", lower) for word in map(str.lower, words))


def _tokens(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)
