"""``Claim``: one checkable statement of a reply, typed, with its subjects, role and bounds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ClaimKind(StrEnum):
    """How a claim is checked."""

    MONEY = "money"  # low, high in fen
    CURRENCY = "currency"  # an amount in a currency the shop does not use
    PERCENT = "percent"  # low, high in percent
    COUNT = "count"  # pieces in stock
    TIME = "time"  # low, high in hours
    MEASURE = "measure"  # a number with a physical or other unit; text is "<number> <unit>"
    NUMBER = "number"  # a number without a unit
    VALUE = "value"  # text is a value of an attribute, a size, a gift or an order status; role says which
    FLAG = "flag"  # text is "yes" or "no"; role says of what
    EXISTS = "exists"  # text is "yes" or "no": there is such a thing as role (coupon, gift ...)
    DEED = "deed"  # the host says that it did something; role is the tool that does it
    FAILURE = "failure"  # the host says that a tool or system failed
    SCARCITY = "scarcity"  # "almost gone", "ends soon"; role is stock or time
    FORBIDDEN = "forbidden"  # never supported; role says why


class Bound(StrEnum):
    """How a number is meant."""

    EXACT = "exact"
    ABOUT = "about"
    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    RANGE = "range"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a reply.

    Attributes:
        kind: how it is checked.
        quote: the words, for reasons.
        role: what it is said to be (``"final"``, ``"list"``, ``"dispatch"``, ``"material"`` ...), ``""`` when unsaid.
        low: lower end in the unit of ``kind``; equal to ``high`` unless ``bound`` is RANGE.
        high: upper end.
        bound: how the number is meant.
        text: for claims that are no number; of a total, how many pieces it is for where that is said.
        negated: the reply says that it is not so.
        subjects: whom it may be about; a named subject stands alone.
        named: the subject was named in the reply, not taken from the need.
        every: it is said of every one of ``subjects``; else of one of them.
        option: words of the clause that name an option, lower case (``("red", "m")``).
        start: offset in the normalised reply.
        clause: number of the clause it stands in.
    """

    kind: ClaimKind
    quote: str
    role: str = ""
    low: float = 0.0
    high: float = 0.0
    bound: Bound = Bound.EXACT
    text: str = ""
    negated: bool = False
    subjects: tuple[str, ...] = ()
    named: bool = False
    every: bool = False
    option: tuple[str, ...] = ()
    start: int = 0
    clause: int = 0
