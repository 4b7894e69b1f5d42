"""The timeline of an episode: what the room did, what viewers wrote, what the host did, by stream second."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from livesim.rollout import Episode
from livesim.scenarios.script import Scenario
from livesim.world import events as ev
from livesim.world.events import Event
from livesim.world.money import yuan

QUIET = (ev.ClockMoved, ev.ViewerEntered, ev.ViewerLeft, ev.CrowdMoved, ev.ItemClicked, ev.CartAdded, ev.Spoken)
"""Events that would only fill the page; what is spoken is shown as the host's turn."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the timeline.

    Attributes:
        at_s: stream second.
        who: ``room``, ``viewer``, ``host``, ``harness``, ``fault`` or ``score``.
        text: what happened.
    """

    at_s: float
    who: str
    text: str

    def __str__(self) -> str:
        return f"{self.at_s:8.2f}  {self.who:<8}{self.text}"


def timeline(episode: Episode, events: Iterable[Event], scenario: Scenario) -> tuple[Entry, ...]:
    """The lines by time; of equal times what the room did first.

    Args:
        episode: as played.
        events: of its simulator.
        scenario: whose beats the harness edits are.
    """
    entries = [entry for event in events if (entry := _event(event, scenario)) is not None]
    for request in episode.requests:
        answers = _answers(request.messages)
        for turn, answer in zip(request.turns, answers, strict=False):
            entries.append(Entry(turn.at_s, "host", _flat(turn.text)))
            entries += [Entry(turn.at_s, "fault", fault) for fault in turn.faults]
            if answer:
                entries.append(Entry(turn.at_s, "harness", _flat(answer)))
        heads = ", ".join(f"{name} {value:g}" for name, value in request.heads.items())
        outcome = "" if request.recovery == "none" else f"; fault: {request.recovery}"
        last_s = request.turns[-1].at_s if request.turns else 0.0
        entries.append(Entry(last_s, "score", f"{request.request_id} {request.end}: {heads}{outcome}"))
    return tuple(sorted(entries, key=lambda entry: entry.at_s))


def _answers(messages: Sequence[Mapping[str, str]]) -> list[str]:
    """What the harness answered to each turn, ``""`` where it said nothing."""
    answers: list[str] = []
    for message in messages:
        if message["role"] == "assistant":
            answers.append("")
        elif answers:
            answers[-1] += message["content"]
    return answers


def _event(event: Event, scenario: Scenario) -> Entry | None:
    if isinstance(event, QUIET):
        return None
    if isinstance(event, ev.Commented):
        return Entry(event.at_s, "viewer", f"{event.viewer}: {event.text}")
    return Entry(event.at_s, "room", _room(event, scenario))


def _room(event: Event, scenario: Scenario) -> str:
    match event:
        case ev.RequestOpened():
            return f"request {event.request} opens"
        case ev.RequestClosed():
            return f"request {event.request} is closed: {event.reason}"
        case ev.PromotionStarted():
            where = "the shop" if event.promotion.link is None else f"link {event.promotion.link}"
            return f"{event.promotion.kind} on {where}: {event.promotion.describe()}"
        case ev.PromotionEnded():
            return f"promotion {event.promotion} ends"
        case ev.PromotionExhausted():
            return f"promotion {event.promotion} is used up"
        case ev.PriceCorrected():
            return f"list price of link {event.link} is {yuan(event.list_price_fen)}"
        case ev.StockSet():
            return f"stock of {event.sku} is {event.pieces}"
        case ev.ItemSwitched():
            return f"link {event.link} is on air"
        case ev.ItemDelisted():
            return f"link {event.link} is taken off the list"
        case ev.NoticePosted():
            return f"notice: {event.text}"
        case ev.NoticeTaken():
            return f"notice gone: {event.text}"
        case ev.PlatformChanged():
            return f"rules of {event.platform} are in force"
        case ev.HarnessEdited():
            beat = scenario.beats[event.beat]
            return f"harness edit: {beat.edit.describe()}" if beat.kind == "harness_edit" else "harness edit"
        case ev.CardPushed():
            return f"card of link {event.link} is on screen"
        case ev.HandedOff():
            return f"a human colleague is called: {event.reason}"
        case ev.RuleBroken():
            return f"rule broken: {event.breach.rule}, {event.breach.points} points: {event.breach.text!r}"
        case ev.StreamCut():
            return "the platform cuts the stream"
        case ev.OrderPlaced():
            return f"order {event.order}: {event.quantity} of link {event.link} for {yuan(event.paid_fen)}"
        case ev.OrderPaid():
            return f"order {event.order} is paid"
        case ev.OrderReturned():
            return f"order {event.order} comes back"
    return type(event).__name__


def _flat(text: str) -> str:
    flat = " / ".join(line for line in text.splitlines() if line.strip())
    return flat if len(flat) <= 300 else f"{flat[:299]}…"
