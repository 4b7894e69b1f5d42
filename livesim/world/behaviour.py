"""``Behaviour``: what makes parametric viewers a room of its own: kinds of people, bursts, and what they overhear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import Field, field_validator

from livesim.config import StrictModel
from livesim.types import Intent


class Persona(StrEnum):
    """What kind of viewer somebody is."""

    NEW = "new"  # looks in, seldom writes
    LOYAL = "loyal"  # stays long, writes much, buys more, returns less
    BARGAIN = "bargain"  # asks for prices and coupons; buys most while a flash sale runs
    SCEPTIC = "sceptic"  # doubts, compares, asks for returns; a right answer counts double
    TROLL = "troll"  # writes much, buys nothing
    IMPATIENT = "impatient"  # leaves soon, asks again at once
    CONTRADICTORY = "contradictory"  # gets an answer and then means another item


@dataclass(frozen=True, slots=True)
class Traits:
    """How a persona differs from the mean viewer; factors of the numbers in ``ViewerConfig`` and ``Behaviour``.

    Attributes:
        share: of those who enter.
        stay: of the median stay.
        talk: of the share who write.
        click, order, back: of the chances to open an item's page, to order after it, and to send the item back.
        patience: of ``Behaviour.patience_s``.
        credit: how much an answer weighs.
        intents: of the weights of intents; those left out stay as they are.
    """

    share: float
    stay: float = 1.0
    talk: float = 1.0
    click: float = 1.0
    order: float = 1.0
    back: float = 1.0
    patience: float = 1.0
    credit: float = 1.0
    intents: Mapping[Intent, float] = field(default_factory=dict)


TRAITS: Mapping[Persona, Traits] = {
    Persona.NEW: Traits(0.62, stay=0.9, talk=0.6, intents={Intent.GREETING: 1.3}),
    Persona.LOYAL: Traits(
        0.08, stay=3.0, talk=3.0, click=1.4, order=1.8, back=0.7, patience=2.0, intents={Intent.CHITCHAT: 1.3}
    ),
    Persona.BARGAIN: Traits(
        0.12, stay=1.2, talk=1.4, click=1.2, back=1.1, intents={Intent.PRICE: 1.5, Intent.PROMOTION: 1.6}
    ),
    Persona.SCEPTIC: Traits(
        0.06, talk=1.8, click=0.8, order=0.6, credit=2.0, intents={Intent.COMPARISON: 3.0, Intent.RETURNS: 2.0}
    ),
    Persona.TROLL: Traits(0.01, stay=1.2, talk=3.0, click=0.1, order=0.0, intents={Intent.TROLL: 12.0}),
    Persona.IMPATIENT: Traits(0.08, stay=0.5, talk=1.3, click=0.9, back=1.2, patience=0.33),
    Persona.CONTRADICTORY: Traits(0.03, stay=1.2, talk=1.8, order=0.8, back=1.3),
}
"""All assumptions: no source counts kinds of viewers. Factors are centred, so that the room keeps its own means."""

PERSONAS: tuple[Persona, ...] = tuple(Persona)
"""Their order in arrays."""


class Influence(StrictModel):
    """How those who did not ask are moved by what they hear and read; replies are public. All are assumptions.

    Numbers without a unit are exponents: a room that hears nothing but right answers orders ``exp(answers)`` times as
    often. *Aim:* the signs of docs/domain.md section 4.

    Attributes:
        memory_s: how fast the room forgets.
        answers, lies, urges: right answers and urging raise orders, wrong answers lower them.
        clicks: right answers raise, wrong ones lower the chance that an item's page is opened.
        talk: comments of others raise orders, too many do not: the height of the inverted U.
        busy: comments a minute per 30 viewers at its top.
        draws, doubts: words for a draw lower orders, openly said doubts raise them.
        tires: how much more interest an item has that was just put on air, and how much less one that stays there.
        tires_s: interest holds for so many seconds.
        informed, misled, pressed: a buyer who heard right answers returns less; wrong ones and urging make it more.
    """

    memory_s: float = Field(default=60.0, gt=0)
    answers: float = Field(default=0.1, ge=0, le=2)
    lies: float = Field(default=0.3, ge=0, le=2)
    urges: float = Field(default=0.2, ge=0, le=2)
    clicks: float = Field(default=0.05, ge=0, le=2)
    talk: float = Field(default=0.4, ge=0, le=2)
    busy: float = Field(default=2.0, gt=0)
    draws: float = Field(default=0.5, ge=0, le=2)
    doubts: float = Field(default=0.4, ge=0, le=2)
    tires: float = Field(default=0.15, ge=0, le=0.9)
    tires_s: float = Field(default=90.0, gt=0)
    informed: float = Field(default=0.2, ge=0, le=2)
    misled: float = Field(default=0.6, ge=0, le=2)
    pressed: float = Field(default=0.5, ge=0, le=2)


NO_INFLUENCE = Influence(
    answers=0, lies=0, urges=0, clicks=0, talk=0, draws=0, doubts=0, tires=0, informed=0, misled=0, pressed=0
)
"""Nobody is moved by what others ask or are told."""


class Behaviour(StrictModel):
    """What a living room has beyond the numbers of ``ViewerConfig``. All are assumptions; sweep them.

    Attributes:
        personas: weight of each kind of viewer among those who enter; one that is left out never comes.
        writers: share of those who enter that may write at all, each with a hazard of their own.
        set_off_s: mean delay of a comment that another one set off.
        start_factor: entries come so many times as often in the first two minutes.
        pushes_per_hour: recommendation pushes; each sends three times as many viewers for a minute.
        patience_s: how fast an answer loses its effect on the one who asked: ``exp(-delay / patience_s)``.
        stay_longer_s: a right, useful and quick answer keeps its asker for so many seconds more.
        answer_clicks, answer_orders: it raises the asker's chance to open the item's page, and to order then, by so
            many times that chance.
        fits: an answer on size counts so many times as much. *Aim:* fit matters most (docs/domain.md section 4).
        give_up_share: of askers who were not served and do not ask again, how many leave at once, in a living room.
        complaint_share: of those who ask again after a wrong answer, how many complain instead.
        influence: how those who did not ask are moved.
    """

    personas: dict[Persona, float] = Field(default_factory=lambda: {p: t.share for p, t in TRAITS.items()})
    writers: float = Field(default=0.03, gt=0, le=1)
    set_off_s: float = Field(default=15.0, gt=0)
    start_factor: float = Field(default=2.0, ge=1, le=20)
    pushes_per_hour: float = Field(default=2.0, ge=0, le=60)
    patience_s: float = Field(default=30.0, gt=0)
    stay_longer_s: float = Field(default=25.0, ge=0)
    answer_clicks: float = Field(default=0.5, ge=0, le=10)
    answer_orders: float = Field(default=0.5, ge=0, le=10)
    fits: float = Field(default=1.5, ge=0, le=5)
    give_up_share: float = Field(default=0.5, ge=0, le=1)
    complaint_share: float = Field(default=0.5, ge=0, le=1)
    influence: Influence = Influence()

    @field_validator("personas")
    @classmethod
    def _weights(cls, personas: dict[Persona, float]) -> dict[Persona, float]:
        if any(not weight >= 0 for weight in personas.values()) or not 0 < sum(personas.values()) < float("inf"):
            raise ValueError("weights must be at least 0 and not all 0")
        return personas


COMPRESSED = Behaviour(
    personas={Persona.NEW: 1.0},
    start_factor=1.0,
    pushes_per_hour=0.0,
    answer_clicks=3.0,
    answer_orders=2.0,
    fits=1.0,
    complaint_share=0.0,
    influence=NO_INFLUENCE,
)
"""What holds in a compressed room, where its numbers are used."""
