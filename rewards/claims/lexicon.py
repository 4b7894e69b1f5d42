"""Word lists of statements that need no number: flags, offers, deeds, excuses, scarcity and what may never be said."""

from __future__ import annotations

import re
from typing import NamedTuple


class Entry(NamedTuple):
    """A pattern, what it states (``role``) and, for yes/no statements, which of the two."""

    role: str
    value: str
    pattern: re.Pattern[str]


def _entry(role: str, value: str, words: str) -> Entry:
    return Entry(role, value, re.compile(rf"\b(?:{words})"))


_SHIP = r"(?:shipping|delivery|postage)"
_BACK = r"(?:return (?:shipping|postage|freight|delivery|costs?)|returns?|the way back|return trip|sending it back)"
_PAID = r"(?:covered|free|insured|included|on us|on the house|paid(?: for)?|taken care of|at our cost)"

FLAGS: tuple[Entry, ...] = (
    _entry(
        "returnable",
        "no",
        r"not returnable|non-?returnable|(?:can't|cannot|can not) (?:be )?(?:return|sen[dt]|tak\w+"
        r"|give\w*)(?:ed|s)?(?: (?:it|them|this|that|one))?(?: back)?\b"
        r"|(?:can't|cannot|can not) (?:go|come) back\b"
        r"|no (?:[\w-]+ )?returns?\b(?! (?:shipping|postage|freight))|(?:don't|do not) (?:accept|take"
        r"|offer) (?:\w+ )?(?:returns?|it back|them back)|isn't returnable|aren't returnable"
        r"|excluded from (?:the )?(?:[\w-]+ )*returns?|final sale|returns? (?:is|are) (?:not|n't) (?:possible"
        r"|accepted|available)|without return",
    ),
    _entry(
        "returnable",
        "yes",
        r"(?:is|are|it's|fully) returnable|(?:you )?can (?:\w+ )?(?:return|send) (?:it|them|this|that|the \w+"
        r"|_+)(?: back)?\b|returns? (?:is|are) (?:possible|accepted|fine|ok|okay)",
    ),
    _entry(
        "warranty",
        "no",
        r"(?:no|without (?:a|any)?|not any|isn't any|is no) ?warranty|doesn't (?:have|come with|carry) (?:a "
        r"|any )?warranty|warranty: none|not (?:covered by|under) (?:a |any )?warranty",
    ),
    _entry(
        "freight_insurance",
        "no",
        rf"(?:pay|cover|bear)s? (?:for )?(?:the |your |your own )?(?:return {_SHIP}|return (?:freight|costs?)"
        rf"|return postage)"
        rf"(?! insurance)(?<!we pay)|{_BACK} (?:is|are|would be|will be) (?:on you|yours"
        rf"|at your (?:own )?(?:cost|expense)"
        r"|not covered|not free|not insured|not included|up to you|for you to pay|paid by (?:you|the buyer))"
        r"|at your own (?:cost|expense)|(?:is |are )?not (?:freight[- ])insured|not insured for (?:the )?freight"
        r"|freight (?:is not|isn't) insured",
    ),
    _entry(
        "freight_insurance",
        "yes",
        r"(?:return )?(?:freight|shipping|return)[- ]insur\w+|freight[- ]insured|freight is insured"
        r"|insured for (?:the )?freight|insur\w+ (?:for|on"
        r"|covers?) (?:the |your )?return\w*"
        rf"|{_BACK}(?: (?:is|are|gets?|will be))? {_PAID}|free (?:returns?\b(?! window)|return (?:shipping|postage))"
        r"|we (?:cover|pay|pay for) (?:the |your )?(?:return|way back)|sending (?:it|them) back (?:is free"
        r"|costs (?:you )?nothing)"
        r"|return (?:it|them) (?:for )?free",
    ),
    _entry(
        "free_shipping",
        "no",
        rf"{_SHIP} (?:is|costs?|comes|will be|would be) (?:extra|not free|not included|charged|separate"
        rf"|not covered|on top"
        rf"|added|on you|paid by (?:you|the buyer)|yours)|(?:pay|cover)s? (?:for )?(?:the "
        rf"|your )?(?:own )?{_SHIP}(?! back)"
        rf"|{_SHIP} (?:fee|charge)s? (?:applies|apply|is added|are added)|plus {_SHIP}\b|{_SHIP} isn't (?:free"
        rf"|included)"
        rf"|buyer pays (?:the )?{_SHIP}|there(?:'s| is) (?:a|an extra) {_SHIP} (?:fee|charge|cost)",
    ),
    _entry(
        "free_shipping",
        "yes",
        rf"free (?:of )?{_SHIP}|ships? (?:to you |out )?(?:for )?free\b|{_SHIP} (?:is|comes|are|'s)? ?(?:all "
        rf"|totally |completely )?"
        rf"(?:free|on us|included|covered|on the house)\b|(?:no|0 yuan|without"
        rf"|zero) (?:extra )?{_SHIP}(?: fees?| costs?| charges?)?"
        rf"|{_SHIP}[- ]free|(?:we|shop) (?:cover|pay)s? (?:for )?(?:the )?{_SHIP}|(?:don't|won't|needn't"
        rf"|do not) (?:have to )?pay (?:anything )?"
        rf"(?:for )?(?:the )?{_SHIP}|deliver(?:ed|s)? (?:to you )?(?:for )?free\b|{_SHIP} costs (?:you )?nothing",
    ),
    _entry(
        "is_ai",
        "no",
        r"(?:i'm|i am|me, i'm|as)(?: really| definitely| actually| truly| 100%| of course)? (?:a |an )?(?:real "
        r"|true |living |actual )*"
        r"(?:human|person|woman|man|girl|guy|human being)\b(?! colleague)|(?:i'm|i am) (?:not"
        r"|no) (?:an? )?(?:ai\b|robot|bot\b|machine|avatar)"
        r"|flesh and blood|(?:as real as|real as can be|of course i'm real)"
        r"|(?:i'm|i am) (?:so |totally |very |quite |100% )?real\b(?! (?:sorry|glad|happy|good))"
        r"|you're talking to a (?:real )?(?:human|person)|(?:real|live) (?:human|person) here"
        r"|no (?:ai|robot"
        r"|bot)s? here",
    ),
    _entry(
        "is_ai",
        "yes",
        r"(?:i'm|i am|i'm indeed|this is|you're talking to|yes,? |as|being|hosted by|presented by|run by"
        r"|host is)(?: indeed| in fact| actually| really)?"
        r" ?(?:an? |the |your )?(?:\w+ )?(?:ai|a\.i\.|artificial|virtual|digital|computer[- ]generated"
        r"|generated|avatar|bot|robot|machine)\b"
        r"|(?:i'm|i am) (?:not|no|n't) (?:a |an )?(?:real |true )?(?:human|person)|ai (?:host|avatar|assistant"
        r"|presenter)\b|not a human",
    ),
)
"""Yes/no facts. A negation before the words turns the answer round; "no" entries are looked for first."""

STOCK: tuple[Entry, ...] = (
    _entry(
        "stock",
        "no",
        r"sold[- ]out|out of stock|none (?:are |is )?left|no (?:more )?stock|not in stock|isn't in stock"
        r"|all gone|ran out|run out\b"
        r"|isn't available|not available|unavailable|no longer (?:available|in stock)|no (?:pieces|units"
        r"|more) left|nothing left"
        r"|zero left|0 left|0 pieces|0 in stock|nothing (?:is |are )?left|(?:don't|do not|haven't) have (?:it"
        r"|that|any|this|the \w+|\w+/\w+)?(?: \w+)? ?(?:left|any ?more|in stock)"
        r"|(?:is|are|all) gone\b|snapped up|used up|empty shelves"
        r"|(?:run|ran|running) dry|cleaned out|(?:all|clean|fresh|right) out of\b",
    ),
    _entry(
        "stock",
        "yes",
        r"(?:back |still |currently |well )?in stock|still (?:have|got|there|around|here|available)\b|(?:is"
        r"|are) there\b(?=,)|available\b|(?:we|i) (?:do |still |also )*have (?:it|that|them|some|plenty)\b"
        r"|(?:yes|sure|yep),? (?:we|i) (?:do |still )*(?:have|got)\b(?! (?:no|to|a|an|not)\b)"
        r"|restocked|(?:plenty|lots|loads|enough|some|a few|many|several)(?: \w+){0,4} left|plenty (?:of|to go)"
        r"|some left|(?:is|are) left\b|stock left|left in stock"
        r"|can still (?:get|order|buy|grab)|ready to (?:ship|go)|not sold out|isn't sold out",
    ),
)
STOCK_NOT = re.compile(
    r"(?:price|info\w*|data|details?|figures?|number|answer|coupon|discount|gift|voucher|offer|policy|status"
    r"|result)s?"
    r"(?: \w+){0,4} (?:is |are |isn't |not |un)*available|when (?:it's |it is )?available"
    r"|not available (?:right now )?(?:to me|from the)"
    r"|available (?:coupon|discount|gift|offer|data|info)|colou?rs available"
)
ALL_OPTIONS = re.compile(
    r"\b(?:all|every|each|any|both) (?:of (?:the|our) )?(?:sizes?|colou?rs?|options?|shades?|versions?)\b"
)
PLENTY = re.compile(r"\b(?:plenty|lots|loads|tons|many|well stocked|well in stock|good stock)\b")

OFFERS: tuple[Entry, ...] = (
    _entry("coupon", "yes", r"(?:shop |store |item |extra |another )?(?:coupons?|vouchers?)\b"),
    _entry("gift", "yes", r"(?:free |bonus |little |small )?gifts?\b(?! (?:wrap|box|card|pack|idea|for))|freebies?\b"),
    _entry("flash", "yes", r"flash (?:sale|price|deal)s?"),
    _entry("member", "yes", r"members?(?:hip)?(?:'s?)? (?:price|discount|deal|rate)s?"),
    _entry("discount", "yes", r"(?:special |extra |live )?(?:discount|promotion|markdown|special offer)s?\b|on sale\b"),
    _entry("threshold", "yes", r"cross-store|full[- ]reduction|spend[- ]and[- ]save"),
)
OFFER_OPEN = re.compile(
    r"\b(?:if|any|whether|check (?:for )?|which|what|some|all (?:the )?|see|grab (?:your|the)|watch for"
    r"|look for|when)"
    r" (?:\w+ ){0,3}$"
)
OFFER_MORE = re.compile(r"\b(?:no|any|without|not any) (?:other|more|extra|further|additional) (?:\w+ )?$")

DEEDS: tuple[Entry, ...] = (
    _entry(
        "push_card",
        "",
        r"(?:just |i've |i have |have |already )?(?:pushed|pinned|popped(?: up)?|put up|posted|dropped"
        r"|brought up|sent out|put|shown)(?: up)?"
        r"(?: (?!see|check)[\w'-]+){0,6}? (?:card|on (?:the )?(?:screen|air)|to the top|up for you)|(?:the "
        r"|its |item |product )?card(?: for [\w ]{1,30}?| of [\w ]{1,30}?)?"
        r"(?: is|'s)(?: now| already)? (?:up|on (?:the |your )?screen|live|showing|pinned|there|here)\b"
        r"|(?:pushed|pinned) (?:it|link|the link|_+)"
        r"|card (?:just )?(?:pushed|pinned)|here(?:'s| is| comes) the card|on (?:your |the )?screen now"
        r"|now on (?:the |your )?screen",
    ),
    _entry(
        "hand_off",
        "",
        r"(?:handed|passed|transferred|forwarded|escalated|connected|referred|flagged|reported"
        r"|raised)(?: [\w'-]+){0,5}? (?:over )?"
        r"(?:to|with|on to) (?:an? |our |the |my )?(?:\w+ )?(?:human|colleague|agent|team|staff|person|support"
        r"|service|specialist|teammate|customer)"
        r"|(?:colleague|human agent|agent|teammate|human|specialist|someone from (?:our|the) team"
        r"|a person from (?:our|the) team)s? (?:will|is going to|'ll) "
        r"(?:\w+ )?(?:contact|help|reach|take|follow|message|look|sort|get|call|be|handle|check|write|see)"
        r"|(?:colleague|human agent|teammate|specialist) (?:is|has) (?:now |already )?(?:on it|taking|taken"
        r"|looking|handling)"
        r"|handing (?:you|this|it) (?:over|on|to)|passing (?:you|this|it) (?:on|over|to)",
    ),
)
"""Things a host may say it did; each is one tool's doing."""

FAILURE = re.compile(
    r"\b(?:system|tool|page|data|query|lookup|look-up|service|backend|server|database|connection"
    r"|warehouse system|price list|check|request|app)"
    r"(?: \w+){0,3}? (?:is |was |has |just |keeps |isn't |didn't |won't |not |seems )*(?:down|slow"
    r"|not responding|respond\w*|timed out|timing out"
    r"|failed|fails|failing|not load\w*|load\w*|unavailable|broken|error|errors|stuck|offline|busy|refus\w+"
    r"|denied|answer\w*|crash\w*|overloaded)\b"
    r"|\b(?:has |have |is |just )?(?:frozen up|froze(?: up)?|hung up|locked up|crashed) ?(?:on me)?\b"
    r"|\b(?:technical|system|network|loading) (?:issue|problem|hiccup|glitch|error|trouble|fault)s?\b"
    r"|\btim(?:ed|ing) out\b"
    r"|\b(?:not|isn't|won't|wouldn't|didn't|doesn't|don't|can't|couldn't) (?:load|open|come (?:up|through)"
    r"|go through|respond|refresh)\w*\b"
    r"|\b(?:no|don't have|without|not allowed|lack) (?:the )?(?:access|permission)\b|\bnot (?:permitted"
    r"|allowed) to (?:see|look|open|read)\b"
    r"|\b(?:access|permission) (?:is |was )?(?:denied|refused|missing)\b|\btrouble (?:loading|reaching|reading"
    r"|getting)\b"
    r"|\b(?:sources?|systems?|tools?|copy|copies) (?:\w+ ){0,2}?(?:disagree|contradict|conflict"
    r"|don't (?:agree|match))\w*\b"
    r"|\b(?:check|lookup|look-up|search|query|call) (?:just )?(?:failed|didn't work|did not work|isn't working"
    r"|went wrong)\b"
)

SCARCITY: tuple[Entry, ...] = (
    _entry(
        "stock",
        "",
        r"(?:almost|nearly|about to be|practically) (?:gone|sold out|out of stock|finished)"
        r"|selling (?:out )?(?:very |so |really )?fast|going (?:very |so |really )?fast"
        r"|won't last|running (?:out|low)|only a few|(?:just|very|last) (?:a )?few (?:pieces |units "
        r"|ones )?(?:left|remain\w*)?|a few (?:pieces )?left|last (?:pieces|units|ones?\b(?! (?:i|we|you)))"
        r"|limited (?:stock|quantity|quantities|supply|pieces)|flying off|before (?:it's|it is|they're"
        r"|they are) (?:all )?gone|low (?:in |on )?stock"
        r"|a handful (?:of \w+ )?(?:left|still|remain\w*)|still a handful|hardly any left"
        r"|stock is (?:low|tight|limited)|sell(?:ing)? out (?:soon|any)|disappearing",
    ),
    _entry(
        "time",
        "",
        r"last chance|limited[- ]time|ends? (?:very )?(?:soon|tonight|today|shortly)|ending (?:soon|tonight"
        r"|today)|today only|only today|final (?:minutes|hours|call)"
        r"|price (?:goes|will go|is going) (?:back )?up|back to (?:full|the full|normal|the normal|the old"
        r"|original|the original) price|never (?:be )?this (?:low|cheap)"
        r"|now or never|only for (?:the next|a few) (?:few )?(?:minutes|hours)|for a (?:short|limited) time",
    ),
)

FORBIDDEN: tuple[Entry, ...] = (
    _entry(
        "absolute",
        "",
        r"(?:the|our|very|absolute(?:ly)?|simply|always|is|are|at its|world's|simply the"
        r"|of the) (?:very )?best(?! (?:fit|size|for you|to|way|if|before|when|bet|wishes|regards|suited"
        r"|match))\b"
        r"|best (?:price|deal|quality|value|in|on the|ever|you|selling|seller|product|choice|of all|anywhere"
        r"|offer|brand|store|shop|material|\w+ (?:in|on|ever|you|anywhere))"
        r"|best[- ]sell(?:er|ing)s?|(?:number|no\.?|#) ?(?:one|1\b) (?:in|brand|seller|choice|quality|on|for)"
        r"|number one\b(?! (?:is|and|i))|national[- ]level|world[- ]class|world-leading"
        r"|cheapest|lowest (?:price|prices|online|anywhere|ever|in)|unbeatable|unrivalled|unrivaled|unmatched"
        r"|second to none|one and only(?! one)|top[- ]grade|top[- ]quality"
        r"|(?:finest|greatest|softest|warmest|strongest|freshest|purest|fastest|toughest|lightest"
        r"|highest quality|most (?:popular|comfortable|beautiful|advanced|durable|powerful|trusted|effective"
        r"|delicious|amazing|famous|loved))\b"
        r"|perfect for (?:everyone|everybody|all|anyone)|100 ?% (?:safe|pure|natural|perfect|genuine|authentic"
        r"|satisf\w+|effective|sure|real)|of all time"
        r"|never (?:fades?|breaks?|shrinks?|tears?|wears? out|fails?|lets? you down)|no one (?:else )?(?:sells"
        r"|has|offers)|nobody (?:else )?(?:sells|has|offers|beats)|nowhere else|(?:beats"
        r"|better than) (?:everything|anything|all|every)"
        r"|absolutely (?:perfect|flawless|safe)|flawless|(?:suits|works for|fits) (?:everyone|everybody"
        r"|all skin)(?! type)",
    ),
    _entry(
        "medical",
        "",
        r"cures?\b|cured|curing|heals?\b|healing|(?:treats?|prevents?|fights?|stops?|removes?|clears?(?: up)?"
        r"|gets? rid of|eliminates?|erases?|reduces?) (?:\w+ ){0,2}?(?:cancer|diabetes|disease|illness"
        r"|infections?|acne|pimples?|eczema"
        r"|colds?|flu|insomnia|arthritis|pain|inflammation|wrinkles|scars?|dark spots|spots|hair loss|allergies"
        r"|redness)|(?:boosts?|strengthens?|improves?|supports?) (?:\w+ ){0,2}?immun\w+"
        r"|lowers? (?:\w+ )?(?:blood pressure|blood sugar|cholesterol)|anti[- ]?(?:inflammatory|bacterial"
        r"|cancer|aging|ageing|wrinkle)|slimming|burns? (?:\w+ )?fat|fat[- ]burning|(?:lose|losing"
        r"|drop) (?:\w+ )?(?:weight|kilos|\d+ kg)"
        r"|weight loss|detox\w*|pain relief|relieves?\b|medical[- ]grade|therapeutic|clinically (?:proven"
        r"|tested)|(?:doctor|dermatologist)s?[- ](?:recommend\w*|approved|tested)|whitens?\b|whitening"
        r"|good for your (?:heart|liver|blood|health|stomach|immun\w+)|improves? (?:your )?(?:sleep|digestion"
        r"|health|memory)|helps? (?:you )?(?:sleep|with (?:acne|pain|insomnia))",
    ),
    _entry(
        "guarantee",
        "",
        r"(?<!month )(?<!year )(?<!day )(?<!month-)(?<!year-)(?<!day-)(?<!months )(?<!years )guarante\w+"
        r"|i promise|we promise|promised?\b(?! you an answer)|i swear|i assure you|assured? you|i vouch"
        r"|you(?:'ll| will) (?:definitely|surely|certainly|absolutely|be (?:\w+ )?(?:slim|younger|whiter"
        r"|amazed))|results? in (?:just |only )?\d+|(?:works|work) for everyone|risk[- ]free|no risk|zero risk"
        r"|money[- ]back|for life\b|lifetime|forever",
    ),
    _entry(
        "promise",
        "",
        r"(?:i'll|i will|i can|we'll|we will|we can|let me|i'm going to|i could) (?:also |personally |even "
        r"|just |surely |happily |gladly )*(?:give (?:you |everyone )?(?:an? |another |the )?(?:extra|further"
        r"|special|bigger|additional|free|private|\d+|discount|gift|refund|half|bonus|present|sample|voucher"
        r"|coupon)"
        r"|send you (?:an? |the |some |one )?(?:\w+ )?(?:gift|free|sample|extra|present|replacement|coupon"
        r"|voucher|refund|bonus|new)|refund|compensate|pay you|reimburse|reserve|hold (?:one|it|a|the|this) "
        r"|keep one|save one|put one aside|set one aside|match (?:the|that|any|their)|beat (?:the|that|any)"
        r"|lower the|drop the price|make it \d+|do it for|knock|throw in|add (?:an? |another )?(?:extra|free"
        r"|gift)|upgrade|waive|double|ship it (?:today|right now|immediately|this minute|tonight|first)"
        r"|have it (?:shipped|sent|delivered|there)|cancel)"
        r"|(?:i've|i have|i just|we've|we have|i already) (?:already |just |now )?(?:refunded|cancel?led"
        r"|reserved|upgraded|waived|compensated|applied|reimbursed|set aside|put one aside|activated|extended)"
        r"|price[- ]match\w*|price protection|full refund no matter|no questions asked|you(?:'ve| have) won"
        r"|you win|you(?:'ll| will) (?:get|receive|have) (?:a |an |your )?(?:\w+ )?(?:refund|replacement"
        r"|compensation)|(?:you|it|they|your (?:order|money))(?:'ll| will) be (?:fully |soon )?(?:refunded"
        r"|compensated|reimbursed|replaced|upgraded)"
        r"|refund (?:is|will be) (?:on its way|issued|done|made|processed|approved|there)",
    ),
    _entry(
        "a restock nobody announced",
        "",
        r"(?:(?:be|is|are|comes?|coming|get|gets|getting) (?:it |them |more )?(?:back|in again)(?: in stock)?"
        r"|(?:sold out|out of stock|gone|none left)(?:,| and|,? but) back(?: in(?: stock)?)?"
        r"|restock(?:ed|s|ing)?(?: it| them)?|new stock (?:comes|arrives))"
        r" (?:on |by |this |next )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|week"
        r"|month|in \d+ (?:hours|days|weeks))\b",
    ),
    _entry(
        "a right nobody stated",
        "",
        r"even (?:if |when |after )?(?:it's |it is |it has been |they're |you(?:'ve| have)? )?"
        r"(?:opened?|used?|worn?|washed?|unboxed|broken?|damaged"
        r"|without (?:the |a )?(?:tags?|box|receipt|packaging))\b",
    ),
    _entry(
        "a countdown nobody set",
        "",
        r"sell(?:s|ing)(?: at)? (?:[\w-]+ ){0,3}?(?:a|an|per|every|each|by the) (?:second|minute|hour)\b"
        r"|(?:gone|sold out|finished|over) (?:in|within) (?:an? |the next |less than an? )?(?:\d+ )?(?:minutes?"
        r"|seconds?"
        r"|hours?)\b",
    ),
    _entry(
        "off-platform",
        "",
        r"we-?chat|whats ?app|telegram|w[\W_]+e[\W_]+c[\W_]+h[\W_]+a[\W_]+t|(?:dm|pm|text|call|email) me\b"
        r"|(?:add|message) me (?:on|at|privately|in private)|qr[- ]?code|pay (?:me )?(?:directly|privately"
        r"|outside)|my (?:own )?(?:number|phone|website) is|outside (?:of )?(?:the|this) platform",
    ),
)
"""Never supported, whatever the tools said."""

NO_OFFER = re.compile(
    r"\bnothing (?:is )?(?:running|going|on offer)\b"
    r"|\bnothing (?:special |extra )?(?:on|for|off) (?:it|this|that|(?:the |this |that )?(?:_+|\w+)(?: \w+)?)"
    r" (?:today|tonight|now|right now|at the moment)\b"
)
"""The shop has no offer, without the word."""
OFFER_OVER = re.compile(
    r"\b(?:sale|deal|offer|promotion|promo)(?:'s| is| has)(?: now| already| all| just)?"
    r" (?:over|ended|finished|gone|done)\b"
)
"""A sale is said to be over."""

FINE = re.compile(
    r"\b(?:do(?:ing)? (?:my|our) (?:very )?best|(?:try|tried) (?:my|our) best|best (?:before|regards|wishes|to"
    r"|if|bet|fit|size|for your|way)|all the best|fits? (?:you )?best|like (?:it )?best|works best"
    r"|is best (?:to|if|when|for|washed|kept|stored)"
    r"|first (?:step|come|of all|time)|(?:price|quality|satisfaction) promise(?= page)|(?:can't|cannot|won't"
    r"|wouldn't|don't|can not|not going to|never|not able to|unable to|nothing)(?: \w+){0,5} (?:promise"
    r"|guarantee|say|claim|call|swear)\w*)\b"
)
SAYING_NO = re.compile(
    r"(?:can't|cannot|can not|won't|will not|wouldn't|don't|do not|not going to|not able to|unable to"
    r"|not allowed to|nor do i|never|rather not|instead of|no one can|not fair to|not my place to"
    r"|no host (?:should|can|may))\b"
    r"(?: [\w'/-]+){0,7}$"
)
RIVALS = re.compile(
    r"\b(?:(?:other|another|those|their|rival|competing|competitors?'?|the other|any other) (?:\w+ )?(?:shops?|stores?"
    r"|sellers?|stream(?:er)?s?|brands?|hosts?|rooms?|platforms?|ones?|products?|people)|competitors?|theirs|brand \w"
    r"|elsewhere|anywhere else|everyone else|everybody else|next door|knock-?offs?|that (?:shop|brand|store"
    r"|seller)|they)\b"
)
BAD = re.compile(
    r"\b(?:fakes?|worse|worst|bad|poor|cheap (?:quality|stuff|copies|material)|low[- ]quality|trash|junk"
    r"|rubbish|garbage|scam\w*|rip[- ]?offs?|overpriced|over-priced|unreliable|liars?|lying|lie|cheat\w*"
    r"|inferior|dangerous|frauds?|terrible|awful|counterfeits?|useless|don't trust|can't trust|never buy"
    r"|stay away|second-rate|fall apart|falls apart|(?:can't|cannot) (?:compare (?:to|with) (?:ours|this|us)"
    r"|match)|not as good|copies|copycats?|charge (?:you )?more|more expensive|dearer|an arm and a leg|a fortune)\b"
)
BETTER = re.compile(
    r"\b(?:better|cheaper|nicer|stronger|softer|safer|faster|lower|superior|higher quality|tastier|fresher"
    r"|more \w+)(?: (?:value|quality|price|deal|service|made))?s? (?:than|to) (?:in |at |on |from )?(?:all "
    r"|any |every |the |what )?(?:other\w*|them|their\w*|elsewhere|anywhere|anyone|everyone|brand|competit\w+"
    r"|that (?:shop|brand)|those|most|rest|you (?:find|get|see)|they|on (?:any )?other)"
)
