"""``ViewerSimulator``: the small protocol of everything that plays the audience, and what flows through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeAlias

from pydantic import Field, field_validator

from livesim.config import StrictModel
from livesim.types import Intent
from livesim.world.behaviour import Behaviour


class Wording(StrEnum):
    """Which phrasings viewers use; the two sets are disjoint."""

    TRAIN = "train"  # for training and everyday use
    HELDOUT = "heldout"  # for evaluation only


class MoveKind(StrEnum):
    """What a viewer can do besides writing."""

    ENTER = "enter"  # come into the room
    LEAVE = "leave"  # leave the room
    CLICK = "click"  # open an item's page
    CART = "cart"  # put an item into the cart
    ORDER = "order"  # order an item
    PAY = "pay"  # pay the last order
    RETURN = "return"  # send the last paid order back, days later; what is not sent back is confirmed


@dataclass(frozen=True, slots=True)
class Want:
    """One thing a comment asks for.

    Attributes:
        intent: what is wanted.
        link: the item it is about; ``None`` when it is about none.
        slots: details that the answer depends on: ``option`` (``"red/M"``), ``topic`` (an attribute's name, or
            ``warranty`` / ``freight_insurance`` / ``return`` for returns), ``height_cm``, ``weight_kg``,
            ``quantity``, ``order``, ``ai`` (``"yes"``: the viewer asks whether the host is an AI).
    """

    intent: Intent
    link: int | None = None
    slots: Mapping[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ViewerComment:
    """A line that a viewer writes, with its hidden meaning.

    Attributes:
        viewer: name shown in the room.
        text: what everybody reads.
        intent: what it wants.
        link: the item it is about, if any.
        slots: details, see ``Want``.
        at_s: when; ``None`` means "now", the end of the window.
        more: further wants of the same line.
    """

    viewer: str
    text: str
    intent: Intent
    link: int | None = None
    slots: Mapping[str, int | str] = field(default_factory=dict)
    at_s: float | None = None
    more: tuple[Want, ...] = ()

    @property
    def wants(self) -> tuple[Want, ...]:
        """All wants, the first one first."""
        return (Want(self.intent, self.link, self.slots), *self.more)


@dataclass(frozen=True, slots=True)
class ViewerMove:
    """Something a viewer does besides writing; see ``ViewerComment`` for ``at_s``."""

    viewer: str
    kind: MoveKind
    link: int | None = None
    option: str = ""
    quantity: int = 1
    at_s: float | None = None


@dataclass(frozen=True, slots=True)
class CrowdMove:
    """What nobody sees in a big room: what viewers without a name do together.

    Attributes:
        entered: so many came.
        left: so many left.
        named: so many more are no longer of the crowd: they enter by name in this window, and count once.
        clicks: so many item pages were opened.
        carts: so many items were put into carts.
        at_s: see ``ViewerComment``.
    """

    entered: int = 0
    left: int = 0
    named: int = 0
    clicks: int = 0
    carts: int = 0
    at_s: float | None = None


ViewerAct: TypeAlias = "ViewerComment | ViewerMove | CrowdMove"


@dataclass(frozen=True, slots=True)
class ItemInfo:
    """What a viewer can see of a listed item on its public page.

    Attributes:
        link: link number.
        title: shown title.
        category: e.g. ``"clothing"``.
        options: labels that can be bought, e.g. ``("red/M", "red/L")``; empty when there is no choice.
        topics: attribute names one may ask about.
        height_to_cm: tallest body of the size chart, cm; 0 without a chart.
        weight_to_kg: heaviest body of the size chart, kg; 0 without a chart.
        warranty: a warranty exists.
    """

    link: int
    title: str
    category: str
    options: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    height_to_cm: int = 0
    weight_to_kg: int = 0
    warranty: bool = False


@dataclass(frozen=True, slots=True)
class Burst:
    """A stretch of stream time in which comments come ``factor`` times as often, e.g. around a flash sale."""

    start_s: float
    end_s: float
    factor: float


@dataclass(frozen=True, slots=True)
class RoomInfo:
    """What is known of the room before it starts."""

    items: tuple[ItemInfo, ...]
    on_air: int
    horizon_s: float
    orders: tuple[str, ...] = ()
    bursts: tuple[Burst, ...] = ()


@dataclass(frozen=True, slots=True)
class RoomMoment:
    """The room at the start of a window; ``listed`` are the links that can be asked about."""

    clock_s: float
    on_air: int
    listed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """What the audience heard as the answer to a request.

    Attributes:
        request: id of the request.
        text: the spoken reply, ``""`` when the request was closed without one.
        comments: everything that was answered, the first one first; who only said what another had said comes last.
        correct: accuracy of the reply, 0 or 1.
        useful: effectiveness of the reply, 0 to 1.
        asked_s: when the first of the comments was written.
        spoken_s: when the reply began.
        done_s: when it ended; acts returned to it lie after this.
    """

    request: str
    text: str
    comments: tuple[ViewerComment, ...]
    correct: float
    useful: float
    asked_s: float
    spoken_s: float
    done_s: float


class ViewerSimulator(Protocol):
    """An audience. Implement these three methods to plug in your own; nothing has to be inherited.

    The simulator asks for acts window by window; whoever writes without having entered is counted as entered. All
    times are seconds of stream time; acts may be in any order and must lie in the window (``at_s`` outside is moved
    to its nearest end). Draw from ``livesim.seeding.stream(seed, "viewers")`` only, so that runs can be repeated.

    A complete audience that replays a comment log::

        from livesim.types import Intent
        from livesim.world.viewers import ViewerComment

        class LogViewers:
            def __init__(self, lines):  # (second, viewer, text, intent, link)
                self.lines = sorted(lines)

            def reset(self, seed, room):
                self.next = 0

            def window(self, room, dt_s):
                end, acts = room.clock_s + dt_s, []
                while self.next < len(self.lines) and self.lines[self.next][0] <= end:
                    at_s, viewer, text, intent, link = self.lines[self.next]
                    acts.append(ViewerComment(viewer, text, Intent(intent), link, at_s=at_s))
                    self.next += 1
                return acts

            def react(self, heard):
                if heard.correct and heard.useful:
                    return []
                return [ViewerComment(c.viewer, "so? " + c.text, c.intent, c.link, c.slots) for c in heard.comments]

        env = gym.make("LiveStream-v0", viewers=lambda: LogViewers([(4.0, "mia", "how much is link 2?", "price", 2)]))
    """

    def reset(self, seed: int, room: RoomInfo) -> None:
        """Start a new stream. Called once before the first window."""

    def window(self, room: RoomMoment, dt_s: float) -> Sequence[ViewerAct]:
        """What happens between ``room.clock_s`` and ``room.clock_s + dt_s``."""

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        """What happens right after a reply, e.g. follow-ups; later acts belong into the next window."""


class ViewerConfig(StrictModel):
    """Numbers of ``ParametricViewers``. All are assumptions of docs/domain.md sections 1 to 3 unless a field says more.

    Without a ``behaviour`` it is a **compressed room**: comments come at the room's rate whoever is there, several
    times as often as in real rooms, and only those who asked are moved by an answer. Episodes for training and tests
    are short that way; nothing about a shop should be concluded from them. The presets have a ``behaviour``.

    Attributes:
        viewers: mean number present at a time.
        comments_per_min: comments of the whole room a minute, outside bursts.
        dwell_median_s: median stay, seconds; the stay is lognormal.
        dwell_sigma: its sigma.
        excitation: mean number of comments on the same matter that a comment sets off.
        intents: weight of each intent; an intent that is left out never occurs.
        concentration: of the Dirichlet draw around ``intents`` for each stream; 0 means no variation.
        elliptic_share: item questions that name no item and mean the one on air.
        other_share: item questions about another item; the rest names the item on air.
        named_share: of references, how many use the title instead of the link number.
        multi_share: comments with two wants.
        detail_share: questions with an unusual angle (several pieces, warranty, freight insurance, no option).
        duplicate_share: comments sent twice.
        typo_share: comments with a slip of the finger; never in the reference to the item.
        adversarial_share: comments with control tokens or faked system lines in them.
        follow_up_share: askers who ask again after a wrong or useless answer.
        wording: which phrasings are used.
        click, cart, order, pay: chances of the funnel, each given the one before; cart and order both given click.
        behaviour: personas, bursts of entries, hazards of single writers, what is overheard; None: a compressed room.
    """

    viewers: float = Field(default=20.0, gt=0, le=100_000)
    comments_per_min: float = Field(default=6.0, gt=0, le=20_000)
    dwell_median_s: float = Field(default=22.0, gt=0)
    dwell_sigma: float = Field(default=1.42, gt=0, le=3)
    excitation: float = Field(default=0.15, ge=0, lt=0.9)
    intents: dict[Intent, float] = Field(default_factory=lambda: dict(SHARES))
    concentration: float = Field(default=30.0, ge=0)
    elliptic_share: float = Field(default=0.35, ge=0, le=1)
    other_share: float = Field(default=0.25, ge=0, le=1)
    named_share: float = Field(default=0.35, ge=0, le=1)
    multi_share: float = Field(default=0.08, ge=0, le=1)
    detail_share: float = Field(default=0.2, ge=0, le=1)
    duplicate_share: float = Field(default=0.04, ge=0, le=1)
    typo_share: float = Field(default=0.04, ge=0, le=1)
    adversarial_share: float = Field(default=0.01, ge=0, le=1)
    follow_up_share: float = Field(default=0.4, ge=0, le=1)
    wording: Wording = Wording.TRAIN
    click: float = Field(default=0.12, ge=0, le=1)
    cart: float = Field(default=0.25, ge=0, le=1)
    order: float = Field(default=0.15, ge=0, le=1)
    pay: float = Field(default=0.92, ge=0, le=1)
    behaviour: Behaviour | None = None

    @field_validator("intents")
    @classmethod
    def _weights(cls, intents: dict[Intent, float]) -> dict[Intent, float]:
        if any(not weight >= 0 for weight in intents.values()) or not 0 < sum(intents.values()) < float("inf"):
            raise ValueError("weights must be at least 0 and not all 0")
        return intents


SHARES: Mapping[Intent, float] = {
    Intent.GREETING: 0.12,
    Intent.CHITCHAT: 0.14,
    Intent.PARTICIPATION: 0.14,
    Intent.PRICE: 0.10,
    Intent.PROMOTION: 0.08,
    Intent.SHOW_ITEM: 0.06,
    Intent.SIZE: 0.09,
    Intent.ATTRIBUTE: 0.08,
    Intent.STOCK: 0.04,
    Intent.SHIPPING: 0.04,
    Intent.RETURNS: 0.02,
    Intent.COMPARISON: 0.03,
    Intent.AFTER_SALES: 0.03,
    Intent.TROLL: 0.02,
    Intent.OFF_TOPIC: 0.01,
}
"""Shares of intents outside bursts. *Source:* docs/domain.md section 1, marked there as assumed."""

BURST_SHARES: Mapping[Intent, float] = {
    Intent.GREETING: 0.04,
    Intent.CHITCHAT: 0.06,
    Intent.PARTICIPATION: 0.40,
    Intent.PRICE: 0.10,
    Intent.PROMOTION: 0.12,
    Intent.SHOW_ITEM: 0.06,
    Intent.SIZE: 0.04,
    Intent.ATTRIBUTE: 0.03,
    Intent.STOCK: 0.06,
    Intent.SHIPPING: 0.03,
    Intent.RETURNS: 0.01,
    Intent.COMPARISON: 0.01,
    Intent.AFTER_SALES: 0.02,
    Intent.TROLL: 0.01,
    Intent.OFF_TOPIC: 0.01,
}
"""Shares in the minute of a flash sale. *Source:* as ``SHARES``."""
