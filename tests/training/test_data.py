"""SFT rows come out of full-head teacher episodes, token for token; RL rows share a world within a group."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

transformers = pytest.importorskip("transformers")

from livesim.env import LiveStreamEnv  # noqa: E402
from livesim.harness.augment import HSAConfig  # noqa: E402
from livesim.rollout import play  # noqa: E402
from livesim.training import data  # noqa: E402
from livesim.training.base_model import ensure_base_model  # noqa: E402
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
    assert 0 < card["with a slip"] < 24
    assert card["trained_tokens"] == sum(sum(lesson.mask) for g in groups for lesson in g)
    json.dumps(card)


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
    lesson = data.as_lesson(episode, tokenizer)
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
    assert rows == [row["extra_info"] for row in data.episodes(WORLD, config, 3)]


def test_training_never_sees_a_held_out_surface() -> None:
    for row in data.episodes(WORLD, RlConfig(), 3):
        assert json.loads(row["extra_info"]["augment"])["split"] == "train"


def test_rows_are_written_whole(tmp_path: Path, made) -> None:
    pandas = pytest.importorskip("pandas")
    rows = [data.bundle(group) for group in made[0]]
    path = data.write_rows(rows, tmp_path / "rows.parquet")
    assert [p.name for p in tmp_path.iterdir()] == ["rows.parquet"]
    assert pandas.read_parquet(path)["input_ids"].map(list).tolist() == [row["input_ids"] for row in rows]
