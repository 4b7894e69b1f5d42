"""What the agent loop hands to the trainer: the rollout's own tokens, masked, marked and scored."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

pytest.importorskip("verl")

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore")]

from livesim.env import LiveStreamEnv  # noqa: E402
from livesim.harness.augment import PRESETS  # noqa: E402
from livesim.rollout import play  # noqa: E402
from livesim.training import data  # noqa: E402
from livesim.training.advantage import Mark  # noqa: E402
from livesim.training.base_model import ensure_base_model  # noqa: E402
from livesim.training.settings import RlConfig, WorldConfig  # noqa: E402
from livesim.training.stages.sft import teacher  # noqa: E402

WORLD = WorldConfig(scenario="qa", harness="compact")


@pytest.fixture(scope="module")
def tokenizer():
    import transformers

    return transformers.AutoTokenizer.from_pretrained(ensure_base_model())


def rows(count: int):
    return [r["extra_info"] for r in data.episodes(WORLD, RlConfig(steps=count, prompts=1, mini_batches=1), 5)]


def played(tokenizer, row, turns: list[str], room: int = 400):
    from livesim.training.agent_loop import Playback

    play_ = Playback(tokenizer, row)
    for turn in turns:
        if play_.done:
            break
        ids = [*tokenizer.encode(turn, add_special_tokens=False), tokenizer.eos_token_id]
        play_.turn(ids, [-0.5] * len(ids), {"min_global_steps": 3, "max_global_steps": 3}, room)
    return play_


def test_a_rollout_of_the_teachers_turns_has_the_ids_and_mask_of_its_sft_row(tokenizer) -> None:
    env = LiveStreamEnv(requests=1)
    for row in rows(6):
        options = {k: row[k] for k in ("scenario", "harness", "harness_seed")}
        options["augment"] = PRESETS["none"].model_validate_json(row["augment"])
        episode = play(teacher("oracle")(0.0), env, row["seed"], options)
        lesson = data.as_lesson(episode.requests[0], tokenizer)
        out = played(tokenizer, row, [t.text for t in episode.requests[0].turns]).output()
        assert tuple(out.prompt_ids + out.response_ids) == lesson.ids
        assert tuple([0] * len(out.prompt_ids) + out.response_mask) == lesson.mask
        marks = out.extra_fields["marks"]
        assert len(marks) == len(out.response_mask) == len(out.response_logprobs)
        assert [m != Mark.OTHER.code for m in marks] == [bool(m) for m in out.response_mask]
        assert marks[0] == Mark.TOOL.code
        assert marks[-1] == Mark.REPLY.code
        info = out.extra_fields["reward_extra_info"]
        assert info["valid"] == 1.0
        assert info["length_tool"] == info["length_reply"] == 1.0  # no thought at all: as brief as can be
        assert info["accuracy"] == episode.requests[0].heads["accuracy"]
        assert out.reward_score == pytest.approx(episode.requests[0].total)


def test_long_thoughts_cost_brevity_in_their_own_segment_and_nothing_else(tokenizer) -> None:
    env = LiveStreamEnv(requests=1)
    row = rows(1)[0]
    options = {k: row[k] for k in ("scenario", "harness", "harness_seed")}
    options["augment"] = PRESETS["none"].model_validate_json(row["augment"])
    turns = [t.text for t in play(teacher("oracle")(0.0), env, row["seed"], options).requests[0].turns]

    def heads(thoughts: list[str]) -> dict[str, float]:
        said = [thought + turn for thought, turn in zip(thoughts, turns, strict=True)]
        return played(tokenizer, row, said, room=2000).output().extra_fields["reward_extra_info"]

    long = "<think>" + "let me see " * 60 + "</think>"
    silent, thinking = heads([""] * len(turns)), heads([*[""] * (len(turns) - 1), long])
    assert silent["accuracy"] == thinking["accuracy"] == 1.0
    assert silent["length_tool"] == silent["length_reply"] == thinking["length_tool"] == 1.0
    assert 0.0 < thinking["length_reply"] < 1.0
    assert heads([long, *[""] * (len(turns) - 1)])["length_tool"] < 1.0
    # Qwen's newer templates open the thought themselves, so that a turn holds only its end.
    assert heads([*[""] * (len(turns) - 1), long.removeprefix("<think>")]) == thinking


def test_an_episode_without_room_left_is_data_with_heads_of_zero(tokenizer) -> None:
    from livesim.training.agent_loop import HEAD_NAMES

    out = played(tokenizer, rows(1)[0], ["well " * 30] * 3, room=100).output()
    info = out.extra_fields["reward_extra_info"]
    assert info["valid"] == 1.0
    assert {info[name] for name in HEAD_NAMES} == {0.0}
    assert len(out.response_ids) <= 100
    assert len(out.response_ids) == len(out.response_mask) == len(out.extra_fields["marks"])


@pytest.mark.parametrize("log_probs", [None, [-0.5]])
def test_tokens_without_log_probabilities_are_no_certain_tokens(tokenizer, log_probs: list[float] | None) -> None:
    play_ = played(tokenizer, rows(1)[0], [])
    with pytest.raises(ValueError, match=f"2 tokens came with {len(log_probs or [])} log-probabilities"):
        play_.turn([5, 6], log_probs, {}, 100)


def test_a_broken_episode_carries_no_trained_token(tokenizer) -> None:
    play_ = played(tokenizer, rows(1)[0], ["hello"])
    play_.broken = "TimeoutError"
    out = play_.output()
    assert out.response_mask == [0]
    assert out.extra_fields["reward_extra_info"]["valid"] == 0.0


class Trainer:
    """Just enough of the trainer for its advantages."""

    def __init__(self, **settings: object) -> None:
        from omegaconf import OmegaConf

        from livesim.training.settings import RlConfig

        heads = [{k: v for k, v in h.model_dump().items() if v is not None} for h in RlConfig().heads]
        ours = {"estimator": "gdpo", "std_floor": 0.05, "whiten": True, "heads": heads, **settings}
        self.config = SimpleNamespace(algorithm=SimpleNamespace(segment_gdpo=OmegaConf.create(ours)))

    def advantages(self, infos: list[dict[str, float]], groups: list[str]):
        from livesim.training.trainer import SegmentGdpoTrainer

        full = [
            {"length_tool": 0.0, "length_reply": 0.0, "total": 0.0, "original": 1.0, "valid": 1.0, **info}
            for info in infos
        ]
        marks = [Mark.TOOL.code, Mark.OTHER.code, Mark.REPLY.code]
        rows_ = [{"reward_extra_info": i, "episode": f"e{n}", "marks": marks} for n, i in enumerate(full)]
        metrics: dict[str, float] = {}
        return SegmentGdpoTrainer._advantages(self, rows_, groups, metrics), metrics


HEADS = {"accuracy": 1.0, "effectiveness": 1.0, "tool_rationality": 0.5, "skill_selection": 1.0}


def test_the_trainer_gives_tool_tokens_the_heads_of_the_tool_part() -> None:
    values, metrics = Trainer().advantages([HEADS, {**HEADS, "tool_rationality": 1.0}], ["g", "g"])
    assert values[0][0] < 0 < values[1][0]
    assert values[0][1:].tolist() == values[1][1:].tolist() == [0.0, 0.0]
    assert metrics["heads/tool_rationality/mean"] == 0.75
    assert metrics["gdpo/accuracy/informative"] == 0.0
    assert metrics["gdpo/tool_rationality/informative"] == 1.0


class Batch(SimpleNamespace):
    """What verl hands to the trainer: keys and tags of rows that lie elsewhere."""

    def __len__(self) -> int:
        return len(self.keys)


def test_a_row_that_only_fills_a_batch_is_no_broken_episode(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from livesim.training import trainer

    def row(tools: float, valid: float) -> dict[str, object]:
        info = {**HEADS, "tool_rationality": tools, "length_tool": 0.0, "length_reply": 0.0, "total": 0.0}
        marks = [Mark.TOOL.code, Mark.OTHER.code, Mark.REPLY.code]
        info |= {"original": 1.0, "valid": valid}
        return {"reward_extra_info": info, "episode": "e", "marks": marks, "env_s": 1}

    held = {
        "uid": ["g", "g", "g", "pad"],
        "extra_fields": [row(0.5, 1.0), row(1.0, 1.0), row(0.0, 0.0), row(0.5, 1.0)],  # verl copies the first
        "response_mask": torch.nested.as_nested_tensor([torch.ones(3)] * 3 + [torch.zeros(1)], layout=torch.jagged),
    }
    store = SimpleNamespace(kv_batch_get=lambda **_: held, kv_batch_put=lambda fields, **_: fields)
    monkeypatch.setattr(trainer, "tq", store)
    ours, metrics = Trainer(), {}
    ours.config.algorithm.use_kl_in_reward = False
    ours._advantages = lambda *given: trainer.SegmentGdpoTrainer._advantages(ours, *given)
    batch = Batch(keys=[*"abcd"], partition_id="train", tags=[{}, {}, {}, {"is_padding": True}])
    found = trainer.SegmentGdpoTrainer._compute_advantage(ours, batch, metrics)["advantages"].unbind()
    assert (metrics["rollout/broken"], metrics["rollout/env_s"]) == (1, 3)
    assert found[0][0] < 0 < found[1][0]
    assert found[2].tolist() == [0.0, 0.0, 0.0]
    assert found[3].tolist() == [0.0]


def test_mini_batches_are_cut_between_groups_whichever_episodes_end_first(monkeypatch: pytest.MonkeyPatch) -> None:
    from transfer_queue import KVBatchMeta
    from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync

    from livesim.training import trainer

    ended = ["x_1_0", "y_0_0", "y_1_0", "x_0_0"]
    episodes = {"x": "seed 8, harness seed 1", "y": "seed 3, harness seed 1"}  # uids are drawn anew in each run
    held = {"extra_fields": [{"episode": episodes[key[0]]} for key in ended]}
    monkeypatch.setattr(trainer, "tq", SimpleNamespace(kv_batch_get=lambda **_: held))
    monkeypatch.setattr(PPOTrainerSync, "_balance_batch", lambda self, batch, metrics: batch)
    batch = KVBatchMeta(keys=ended, tags=[{"of": key} for key in ended], partition_id="train")
    ordered = object.__new__(trainer.SegmentGdpoTrainer)._balance_batch(batch, metrics={})
    assert ordered.keys == ["y_0_0", "y_1_0", "x_0_0", "x_1_0"]
    assert [tag["of"] for tag in ordered.tags] == ordered.keys


def test_plain_grpo_gives_all_tokens_the_same() -> None:
    values, _ = Trainer(estimator="grpo").advantages([{**HEADS, "total": 0.2}, {**HEADS, "total": 0.9}], ["g", "g"])
    assert values[0][0] == values[0][2] < 0 < values[1][0] == values[1][2]


def test_a_head_that_is_missing_stops_the_training() -> None:
    from livesim.errors import TrainingError

    with pytest.raises(TrainingError, match=r"episode e1: head 'accuracy' is nan"):
        Trainer().advantages([HEADS, {**HEADS, "accuracy": float("nan")}], ["g", "g"])


def test_rows_go_through_parquet_as_plain_json(tokenizer) -> None:
    assert json.loads(json.dumps(rows(2))) == rows(2)
