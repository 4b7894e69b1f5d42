"""The causal anchors of docs/domain.md section 4 as pairs of rooms, and those the simulator has no input for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from livesim.scenarios.beats import ItemSwitch
from livesim.scenarios.script import CatalogConfig, Scenario
from livesim.types import Intent
from livesim.validation.room import PUSHY, Host, Outcome
from livesim.validation.statistics import Ratio
from livesim.world.catalog import Category
from livesim.world.viewers import SHARES, ViewerConfig
from livesim.world.viewing.presets import preset

HORIZON_S = 600.0
"""Stream seconds of a room."""

ROOM = preset("small_room").model_copy(update={"viewers": 60.0, "comments_per_min": 4.0})
"""The audience that is validated: the small room, but with sixty viewers, so that there are orders enough to count."""


def scenario_of(viewers: ViewerConfig = ROOM, **fields: object) -> Scenario:
    """A quiet room: five drawn items, no faults, no beats unless given."""
    return Scenario.model_validate({"name": "validation", "viewers": viewers, "horizon_s": HORIZON_S, **fields})


@dataclass(frozen=True, slots=True)
class Arm:
    """A room and who speaks in it.

    Attributes:
        host: of known quality.
        scenario: of the room.
        rooms: so many times as many rooms as of other arms, where little is sold.
    """

    host: Host = field(default_factory=Host)
    scenario: Scenario = field(default_factory=scenario_of)
    rooms: int = 1


@dataclass(frozen=True, slots=True)
class Lever:
    """One anchor: two arms that differ in one thing, what is compared, and which way it must go.

    Attributes:
        name: the claim.
        control: name of an arm.
        treated: name of an arm.
        metric: key of ``METRICS``.
        sign: 1: the metric must rise; -1: it must fall.
        published: the effect in the field, and the tag of its source.
    """

    name: str
    control: str
    treated: str
    metric: str
    sign: int
    published: str


METRICS: Mapping[str, Callable[[Outcome], Ratio]] = {
    "orders per viewer": lambda room: Ratio(room.orders, room.viewers),
    "orders per asker": lambda room: Ratio(room.asker_orders, room.askers),
    "orders of the item": lambda room: Ratio(room.first_orders, room.viewers),
    "returns of paid orders": lambda room: Ratio(room.returned, room.paid),
    "paid money per viewer": lambda room: Ratio(room.paid_fen, room.viewers),
}
"""What is compared: sums over all rooms of an arm, as ratio metrics."""


def _talk(intent: Intent, share: float) -> ViewerConfig:
    """As many comments as ever, but ``share`` of them of this intent."""
    rest = (1.0 - share) / (1.0 - SHARES[intent])
    shares = {i: share if i is intent else weight * rest for i, weight in SHARES.items()}
    return ROOM.model_copy(update={"intents": shares})


_FIRST = CatalogConfig(on_air=1)
_TURNS = tuple(
    ItemSwitch(kind="item_switch", item=1 + turn % 5, at_s=60.0 * turn) for turn in range(1, int(HORIZON_S) // 60)
)
_QUESTIONS = {
    "viewers": 120.0,
    "comments_per_min": 6.0,
    "intents": {Intent.SIZE: 0.5, Intent.ATTRIBUTE: 0.5},
    "concentration": 0.0,
    "multi_share": 0.0,
}
_FIT = scenario_of(
    ROOM.model_copy(update=_QUESTIONS),
    catalog=CatalogConfig(categories=(Category.CLOTHING,)),
    merge_max=1,  # one question a request: where both kinds are merged, both hosts are wrong and nothing is compared
)

ARMS: Mapping[str, Arm] = {
    "right": Arm(),
    "wrong": Arm(Host(correct=0.0)),
    "silent": Arm(Host(answers=0.0)),
    "a human's share": Arm(Host(answers=0.09)),
    "slow": Arm(Host(delay_s=15.0)),
    "pushy": Arm(Host(text=PUSHY)),
    "lottery": Arm(scenario=scenario_of(_talk(Intent.PARTICIPATION, 0.5))),
    "doubts": Arm(scenario=scenario_of(_talk(Intent.COMPARISON, 0.2))),
    "in turn": Arm(scenario=scenario_of(catalog=_FIRST, beats=_TURNS)),
    "one item": Arm(scenario=scenario_of(catalog=_FIRST)),
    "right on attributes": Arm(Host(right_on=frozenset({Intent.ATTRIBUTE})), _FIT, rooms=3),
    "right on fit": Arm(Host(right_on=frozenset({Intent.SIZE})), _FIT, rooms=3),
}
"""Every arm once, so that levers can share rooms."""

LEVERS: tuple[Lever, ...] = (
    Lever("answering questions raises sales", "silent", "right", "orders per viewer", 1, "units +25 %, S"),
    Lever(
        "answering all, not a human's 9 %, raises sales", "a human's share", "right", "orders per viewer", 1, "+3 %, P"
    ),
    Lever("answered askers buy more", "silent", "right", "orders per asker", 1, "+16 % probability, P"),
    Lever("right answers raise sales", "wrong", "right", "orders per viewer", 1, "direction, P"),
    Lever("slower answers lower sales (3 to 15 s)", "right", "slow", "orders per viewer", -1, "direction, P"),
    Lever("fit answers raise sales most", "right on attributes", "right on fit", "orders per asker", 1, "direction, P"),
    Lever("lottery text lowers sales (14 to 50 %)", "right", "lottery", "orders per viewer", -1, "direction, P"),
    Lever("open doubts raise sales (3 to 20 %)", "right", "doubts", "orders per viewer", 1, "direction, P"),
    Lever("right answers lower returns", "silent", "right", "returns of paid orders", -1, "-12.55 %, P"),
    Lever("pressure raises returns", "right", "pushy", "returns of paid orders", 1, "direction, A"),
    Lever("an item shown longer sells more", "in turn", "one item", "orders of the item", 1, "direction, S"),
    Lever("one item shown long lowers sales", "in turn", "one item", "orders per viewer", -1, "direction, S"),
)

VOLUMES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
"""Comments a minute in ``ROOM``, for the inverted U."""

NOT_MODELLED: Mapping[str, str] = {
    "host sees live sales: pre-order sales +40 %": "S; hosts see no sales figures",
    "live interaction, compared with a replay, raises returns": "S; there are no replays",
    "frequent emotion swings raise engagement, lower sales": "S; replies carry no emotion",
    "long comments: inverted U of sales": "P; the length of a comment has no effect",
    "AI sells 80 % of human GMV an hour": "S; there are no human hosts",
    "draws sell more beside real-time Q&A (+17 %, +70 %)": "S; hosts hold no draws",
}
"""Anchors that no input of the simulator stands for, with the tag of the source and why."""
