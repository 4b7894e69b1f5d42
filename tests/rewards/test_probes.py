"""Short replies, right or nearly so: the accuracy head agrees with the rubric on all but those known as misread."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from rewards.score import score
from rewards.signals import Signals

PROBES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("probes.yaml").read_text(encoding="utf-8"))
LABELLED = [
    pytest.param(probe, reply, label, id=reply)
    for probe in PROBES
    for label, key in ((1.0, "right"), (0.0, "wrong"))
    for reply in probe.get(key, ())
]
MISREAD = [pytest.param(probe, reply, label, id=reply) for probe in PROBES for reply, label in probe.get("misread", ())]


def accuracy(signals: Callable[..., Signals], probe: dict[str, Any], reply: str) -> float:
    return score(signals(reply, probe["needs"], probe["calls"], probe["comments"])).heads["accuracy"]


@pytest.mark.parametrize(("probe", "reply", "label"), LABELLED)
def test_accuracy_is_what_the_rubric_says(
    signals: Callable[..., Signals], probe: dict[str, Any], reply: str, label: float
) -> None:
    assert accuracy(signals, probe, reply) == label


@pytest.mark.parametrize(("probe", "reply", "label"), MISREAD)
def test_what_is_known_as_misread_still_is(
    signals: Callable[..., Signals], probe: dict[str, Any], reply: str, label: float
) -> None:
    assert accuracy(signals, probe, reply) != label, "it is read rightly now: move it to right or wrong"


def test_few_are_known_as_misread() -> None:
    assert len(MISREAD) <= 24
    assert len(LABELLED) >= 133
