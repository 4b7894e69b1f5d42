"""Suites hold the same tasks, give every kind of change an equal share, and never meet a training seed."""

from __future__ import annotations

from collections import Counter

import pytest

from livesim.errors import ConfigError
from livesim.evaluation.suites import CHANGES, Setting, Suite, chosen, register, suites, task_seed
from livesim.harness.augment import PRESETS
from livesim.seeding import derive


def test_every_kind_of_change_has_an_equal_share_of_the_same_tasks() -> None:
    cases = suites()["harness_variant_qa"].cases(Setting(episodes=72))
    assert Counter(c.dimension for c in cases) == dict.fromkeys(CHANGES, 12)
    by_kind = {kind: [c.seed for c in cases if c.dimension == kind] for kind in CHANGES}
    assert all(seeds == by_kind["all_five"] for seeds in by_kind.values())
    original = suites()["live_stream_qa"].cases(Setting(episodes=12))
    assert [c.seed for c in original] == by_kind["hook"]
    assert all(c.augment is None for c in original)


def test_variants_are_shared_by_four_tasks_and_drawn_from_heldout_pools_only() -> None:
    cases = suites()["harness_variant_qa"].cases(Setting(episodes=72))
    assert set(Counter(c.variant for c in cases).values()) == {4}
    seeds = {c.variant: {d.harness_seed for d in cases if d.variant == c.variant} for c in cases}
    assert all(len(found) == 1 for found in seeds.values())
    assert len({next(iter(found)) for found in seeds.values()}) == len(seeds)
    for case in cases:
        assert case.augment is not None
        config = PRESETS[case.augment]
        assert str(config.split) == "heldout"
        assert config.original_share == 0.0
        assert len(config.dimensions) == (5 if case.dimension == "all_five" else 1)


def test_ids_are_unique_and_stable_when_the_suite_grows() -> None:
    for suite in suites().values():
        small, large = suite.cases(Setting(episodes=12)), suite.cases(Setting(episodes=60))
        assert len({c.id for c in large}) == 60
        assert large[:12] == small


def test_another_seed_gives_other_tasks_and_other_variants() -> None:
    first, second = (suites()["harness_variant_qa"].cases(Setting(episodes=24, seed=s)) for s in (0, 1))
    assert not {c.seed for c in first} & {c.seed for c in second}
    assert not {c.harness_seed for c in first} & {c.harness_seed for c in second}


def test_eval_seeds_are_no_small_numbers_and_no_training_path() -> None:
    evaluated = {task_seed(seed, task) for seed in range(20) for task in range(200)}
    assert len(evaluated) == 4000
    assert min(evaluated) > 1_000_000  # a seed typed by hand or counted up from 0 is none of them
    trained = {
        derive(seed, word, "task", i) for seed in range(20) for word in ("train", "sft", "rl") for i in range(200)
    }
    assert not evaluated & trained


def test_an_unknown_suite_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match="harness_variant_qa"):
        chosen("harness_varient_qa")
    with pytest.raises(ConfigError, match="no suite named"):
        chosen(" , ")
    assert [s.name for s in chosen("harness_variant_qa, live_stream_qa,live_stream_qa")] == [
        "harness_variant_qa",
        "live_stream_qa",
    ]


def test_a_name_can_be_registered_once() -> None:
    with pytest.raises(ConfigError, match="already a suite 'live_stream_qa'"):
        register(Suite("live_stream_qa", "T9", "", lambda setting: ()))


def test_no_seed_of_the_trainer_is_evaluated() -> None:
    """The paths are those of ``livesim.training.data``."""
    evaluated = {
        c.seed for s in suites().values() for seed in range(10) for c in s.cases(Setting(episodes=300, seed=seed))
    }
    variants = {
        c.harness_seed
        for s in suites().values()
        for seed in range(10)
        for c in s.cases(Setting(episodes=300, seed=seed))
    }
    trained = {derive(seed, "sft", draw, attempt) for seed in range(10) for draw in range(200) for attempt in range(8)}
    trained |= {derive(seed, "rl", index) for seed in range(10) for index in range(200)}
    drawn = {derive(seed, stage, "harness", i) for seed in range(10) for stage in ("sft", "rl") for i in range(200)}
    assert not evaluated & trained
    assert not variants & drawn
