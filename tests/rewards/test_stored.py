"""Signals survive JSON unchanged."""

from __future__ import annotations

import json

import pytest

from rewards.signals import (
    Answer,
    Breach,
    CallError,
    CallRecord,
    Fact,
    FactKind,
    FactRef,
    FaultKind,
    Limits,
    Need,
    PlannedCall,
    Signals,
)
from rewards.stored import plain, restore


@pytest.fixture
def signals() -> Signals:
    fact = Fact("link:2", "final_price", FactKind.MONEY, 8900)
    need = Need(
        "price",
        "link:2",
        Answer.FACT,
        facts=((FactRef("link:2", "final_price"),),),
        plans=((PlannedCall("price_check", {"link": 2, "topic": None}),), ()),
        words=("a", "b"),
    )
    return Signals(
        request_id="r1",
        needs=(need,),
        reply=None,
        truth=(fact, Fact("link:2", "size:170/60", FactKind.VALUE, "M")),
        known=(),
        calls=(
            CallRecord("price_check", {"link": 2}, True, fault=FaultKind.STALE, facts=(fact,)),
            CallRecord("", {}, False, error=CallError.BAD_JSON),
        ),
        skills_loaded=("price_promo",),
        skill_options=(("price", ("price_promo",)),),
        strategy_options=(),
        titles=(("link:2", "linen shirt"),),
        limits=Limits(address="friends"),
        breaches=(Breach("absolute", 4, "best"),),
    )


def test_signals_survive_json(signals: Signals) -> None:
    assert restore(Signals, json.loads(json.dumps(plain(signals)))) == signals


def test_enums_come_back_as_enums(signals: Signals) -> None:
    back = restore(Signals, json.loads(json.dumps(plain(signals))))
    assert back.calls[0].fault is FaultKind.STALE
    assert back.needs[0].answer is Answer.FACT


def test_a_wrong_field_is_refused(signals: Signals) -> None:
    data = json.loads(json.dumps(plain(signals)))
    with pytest.raises(TypeError, match="nonsense"):
        restore(Signals, {**data, "nonsense": 1})
    with pytest.raises(TypeError, match="expected list"):
        restore(Signals, {**data, "needs": "none"})
    with pytest.raises(ValueError, match="no_such_fault"):
        restore(CallRecord, {"tool": "", "arguments": {}, "ok": True, "fault": "no_such_fault"})


def test_what_has_no_plain_form_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        plain(object())
