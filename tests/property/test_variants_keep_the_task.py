"""Every harness variant asks for the same task: the oracle's calls resolve and its heads do not move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.oracle import OracleAgent
from livesim.env import LiveStreamEnv
from livesim.evaluation.proof import Proof, prove
from livesim.harness import shelf
from livesim.harness.augment import PRESETS, Dimension, Split, augment
from livesim.harness.state import HarnessState
from livesim.seeding import stream

VARIANTS = 200


# The six tools of the compact harness serve single questions; a livelier room asks for more than they know.
ROOMS = {"compact": "qa", "default": None}


def proof(name: str, preset: str, seed: int) -> Proof:
    original = shelf.load(name)
    variant = augment(original, PRESETS[preset], stream(seed, "proof", preset, name))
    return prove(lambda: LiveStreamEnv(ROOMS[name]), OracleAgent(), original, variant.state, [seed])


@pytest.mark.parametrize("dimension", list(Dimension))
def test_two_hundred_variants_of_each_dimension_leave_every_head_as_it_was(dimension: Dimension) -> None:
    splits, names = tuple(Split), ("compact", "default")
    failed = []
    for seed in range(VARIANTS):
        preset, name = f"{splits[seed % 2]}:{dimension}", names[seed // 2 % 2]
        found = proof(name, preset, seed)
        assert found.requests == 1 or not found.ok
        if not found.ok:
            failed.append(f"{name} {preset}: {found.reason}")
    assert failed == []


@pytest.mark.parametrize("preset", ["train", "heldout"])
@pytest.mark.parametrize("name", ["compact", "default"])
def test_mixtures_of_dimensions_leave_every_head_as_it_was(name: str, preset: str) -> None:
    found = [proof(name, preset, seed) for seed in range(5000, 5040)]
    assert [one.reason for one in found if not one.ok] == []


def broken(original: HarnessState) -> HarnessState:
    """Views whose shown parameter stands for another one than it says."""
    views = []
    for view in original.tools:
        params = [replace(p, canonical={"link": "sku"}.get(p.canonical, p.canonical)) for p in view.params]
        views.append(replace(view, params=tuple(params)))
    return replace(original, tools=tuple(views))


def test_a_variant_that_breaks_the_task_is_found_out() -> None:
    original = shelf.load("compact")

    def room() -> LiveStreamEnv:
        return LiveStreamEnv("qa")

    found = [prove(room, OracleAgent(), original, broken(original), [seed]) for seed in range(8)]
    assert any("did not resolve: bad_arguments" in one.reason for one in found)
    deaf = replace(original, tools=original.tools[1:])
    reasons = [prove(room, OracleAgent(), original, deaf, [seed]).reason for seed in range(8)]
    assert any(reasons)
