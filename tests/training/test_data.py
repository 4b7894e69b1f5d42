"""SFT rows come out of full-head teacher episodes, token for token; RL rows share a world within a group."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

transformers = pytest.importorskip("transformers")

from livesim import roster  # noqa: E402
from livesim.env import LiveStreamEnv  # noqa: E402
from livesim.harness.augment import HSAConfig  # noqa: E402
from livesim.rollout import RequestRecord, play  # noqa: E402
from livesim.training import data  # noqa: E402
from livesim.training.base_model import ensure_base_model  # noqa: E402
from livesim.training.card import Card  # noqa: E402
from livesim.training.retries import failed, fit, without  # noqa: E402
from livesim.training.settings import RlConfig, SftConfig, WorldConfig  # noqa: E402
from livesim.training.stages.sft import teacher  # noqa: E402

WORLD = WorldConfig(scenario="qa", harness="compact", tasks_per_harness=4)


@pytest.fixture(scope="module")
def tokenizer():
    return transformers.AutoTokenizer.from_pretrained(ensure_base_model())


@pytest.fixture(scope="module")
def made(tokenizer):
    config = SftConfig(harnesses=6, augment="train", mistakes=0.5)
    return data.lessons(teacher("oracle"), WORLD, config, 3, tokenizer)


def test_every_draw_is_filled_and_no_conversation_occurs_twice(made) -> None:
    groups, card = made
    assert [len(g) for g in groups] == [4] * 6
    assert len({lesson.ids for g in groups for lesson in g}) == 24
    assert card["episodes"] == 24
    assert card["original"] + card["augmented"] == 24
    lessons = [lesson for g in groups for lesson in g]
    assert card["trained_tokens"] == sum(sum(lesson.mask) for lesson in lessons)
    lengths = sorted(len(lesson.ids) for lesson in lessons)
    assert card["tokens"] == sum(lengths)
    assert (card["tokens_an_episode"]["least"], card["tokens_an_episode"]["most"]) == (lengths[0], lengths[-1])
    assert sum(card["dimensions"].values()) > 0
    assert card["variants"]["proved"] + card["variants"].get("original", 0) == 6
    assert sum(card["calls"].values()) > 0
    json.dumps(card)


def test_most_retries_are_cut_out_and_a_few_are_kept_whole(made) -> None:
    retries = made[1]["retries"]
    assert retries["kept whole"] == 2  # a tenth of 24
    assert retries["cut out"] > 2


def sent_back() -> RequestRecord:
    """A request whose teacher slipped once."""
    env = LiveStreamEnv(scenario="qa", harness="compact", requests=1)
    agent = teacher("oracle")(1.0)
    found = (play(agent, env, seed).requests[0] for seed in range(50))
    return next(request for request in found if failed(request) and not request.full)


def test_a_retry_that_is_kept_is_seen_but_not_imitated_and_one_that_is_cut_leaves_no_trace(tokenizer) -> None:
    request = sent_back()
    assert fit(request)
    (slip,) = failed(request)
    text = request.turns[slip].text
    told = next(m["content"] for m, after in itertools.pairwise(reversed(request.messages)) if after["content"] == text)
    whole, cut = (data.as_lesson(request, tokenizer, whole=whole) for whole in (True, False))
    imitated = [
        tokenizer.decode([i for i, m in zip(lesson.ids, lesson.mask, strict=True) if m]) for lesson in (whole, cut)
    ]
    assert imitated[0] == imitated[1]
    assert text not in imitated[0]
    shown = [tokenizer.decode(lesson.ids) for lesson in (whole, cut)]
    assert text in shown[0]
    assert told in shown[0]
    assert told not in shown[1]
    assert len(without(request)) == len(request.messages) - 2


def test_an_episode_that_failed_for_another_reason_is_no_lesson() -> None:
    env = LiveStreamEnv(scenario="qa", harness="compact", requests=1)
    assert not fit(play(roster.agent("silent"), env, 5).requests[0])
    request = sent_back()
    wrong = replace(request, signals=replace(request.signals, reply="The price is 1 yuan."))
    assert not fit(wrong)


def test_no_intent_gets_much_more_than_its_share() -> None:
    card = Card(balance=1.5)
    card.lengths, card.intents = [1] * 8, Counter(price=5, stock=2, returns=1)
    assert card.enough(["price"])  # 6 of 9, a fair part of which is 3 and at most 4.5
    assert not card.enough(["stock"])
    assert not card.enough(["price", "returns"])
    assert not Card().enough(["price"])


def test_the_draws_are_balanced_and_counted(tokenizer) -> None:
    def most(balance: float) -> float:
        config = SftConfig(harnesses=8, augment="none", balance=balance)
        intents = data.lessons(teacher("oracle"), WORLD, config, 3, tokenizer)[1]["intents"]
        return max(intents.values()) * len(intents) / sum(intents.values())

    assert most(1.2) < most(0.0)


def test_the_same_seed_gives_the_same_rows_and_another_seed_others(made, tokenizer) -> None:
    config = SftConfig(harnesses=6, augment="train", mistakes=0.5)
    assert data.lessons(teacher("oracle"), WORLD, config, 3, tokenizer)[0] == made[0]
    assert data.lessons(teacher("oracle"), WORLD, config, 4, tokenizer)[0] != made[0]


def test_tasks_of_a_draw_share_their_harness_and_the_row_holds_it_once(made) -> None:
    for group in made[0]:
        row = data.bundle(group)
        whole = sum(len(lesson.ids) for lesson in group)
        assert len(row["input_ids"]) < 0.75 * whole
        assert len(row["input_ids"]) == len(row["loss_mask"]) == len(row["position_ids"])
        assert sum(row["loss_mask"]) == sum(sum(lesson.mask) for lesson in group)
        trained = [i for i, m in zip(row["input_ids"], row["loss_mask"], strict=True) if m]
        assert trained == [i for lesson in group for i, m in zip(lesson.ids, lesson.mask, strict=True) if m]


def test_a_lesson_is_the_whole_conversation_and_trains_the_assistants_words(tokenizer) -> None:
    env = LiveStreamEnv(scenario="qa", harness="compact", requests=1)
    episode = play(teacher("oracle")(0.0), env, 5)
    lesson = data.as_lesson(episode.requests[0], tokenizer)
    messages = [dict(m) for m in episode.requests[0].messages]
    while messages[-1]["role"] != "assistant":
        messages.pop()
    text = tokenizer.apply_chat_template(messages, tokenize=False).removesuffix("\n")
    assert list(lesson.ids) == tokenizer.encode(text, add_special_tokens=False)
    said = [m["content"] + "<|im_end|>" for m in messages if m["role"] == "assistant"]
    assert tokenizer.decode([i for i, m in zip(lesson.ids, lesson.mask, strict=True) if m]) == "".join(said)


def test_rows_of_rl_are_paired_and_partly_original() -> None:
    config = RlConfig(steps=10, prompts=4, original_share=0.25, augment="train")
    rows = [row["extra_info"] for row in data.episodes(WORLD, config, 3)]
    assert len({row["seed"] for row in rows}) == len({row["harness_seed"] for row in rows}) == 40
    shares = [HSAConfig.model_validate_json(row["augment"]).original_share for row in rows]
    assert set(shares) == {0.0, 1.0}
    assert 3 <= shares.count(1.0) <= 18
    counts = data.variants(data.episodes(WORLD, config, 3), WORLD.harness)
    assert counts["original"] == shares.count(1.0)
    assert counts["original"] + counts["proved"] == 40
    assert rows == [row["extra_info"] for row in data.episodes(WORLD, config, 3)]


def test_a_curriculum_makes_the_world_harder_from_phase_to_phase() -> None:
    config = RlConfig(
        steps=4,
        prompts=2,
        augment=HSAConfig(dimensions={"hook": 0.8}),
        original_share=0.0,
        curriculum=[
            {"share": 0.25, "faults": "none", "original_share": 1.0},
            {"share": 0.5, "strength": 0.5},
            {"share": 0.25, "faults": "stress"},
        ],
    )
    rows = [row["extra_info"] for row in data.episodes(WORLD.model_copy(update={"faults": "light"}), config, 3)]
    assert [row["faults"] for row in rows] == ["none"] * 2 + ["light"] * 4 + ["stress"] * 2
    varied = [HSAConfig.model_validate_json(row["augment"]) for row in rows]
    assert [one.original_share for one in varied] == [1.0] * 2 + [0.0] * 6
    assert [one.dimensions.get("hook") for one in varied] == [None] * 2 + [0.4] * 4 + [0.8] * 2


def test_a_curriculum_that_leaves_steps_out_or_knows_no_such_faults_is_refused() -> None:
    with pytest.raises(ValueError, match=r"shares of curriculum must sum to 1, got 0\.7"):
        RlConfig(curriculum=[{"share": 0.7}])
    with pytest.raises(ValueError, match=r"unknown faults preset 'stres'.*did you mean 'stress'"):
        RlConfig(curriculum=[{"share": 1.0, "faults": "stres"}])
    thirds = RlConfig(steps=7, curriculum=[{"share": 1 / 3, "strength": s} for s in (0.1, 0.2, 0.3)])
    assert [thirds.phase(step).strength for step in range(7)] == [0.1, 0.1, 0.1, 0.2, 0.2, 0.3, 0.3]


def test_training_never_sees_a_held_out_surface() -> None:
    for row in data.episodes(WORLD, RlConfig(), 3):
        assert json.loads(row["extra_info"]["augment"])["split"] == "train"


def test_rows_are_written_whole(tmp_path: Path, made) -> None:
    pandas = pytest.importorskip("pandas")
    rows = [data.bundle(group) for group in made[0]]
    path = data.write_rows(rows, tmp_path / "rows.parquet")
    assert [p.name for p in tmp_path.iterdir()] == ["rows.parquet"]
    assert pandas.read_parquet(path)["input_ids"].map(list).tolist() == [row["input_ids"] for row in rows]
