"""A real training in its smallest form: SFT, OPD and RL on the real model, with verl, Ray and vLLM."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

for module in ("verl", "vllm", "ray"):
    pytest.importorskip(module)

pytestmark = [pytest.mark.train, pytest.mark.slow]

from livesim.training.base_model import check_end_token, ensure_base_model  # noqa: E402
from livesim.training.run import run_stages  # noqa: E402
from livesim.training.settings import Stage, load  # noqa: E402
from rewards.score import HEADS  # noqa: E402

CONFIG = Path(__file__).parents[2] / "configs" / "cpu" / "mini.yaml"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "mini"
    made = run_stages(load(CONFIG), folder)
    assert list(made) == [Stage.SFT, Stage.OPD, Stage.RL]
    return folder


def metrics(run: Path, stage: str) -> list[dict[str, float]]:
    return [json.loads(line) for line in (run / stage / "metrics.jsonl").read_text().splitlines()]


def weights(model: Path):
    from safetensors.torch import load_file

    return load_file(model / "model.safetensors")


def moved(before: Path, after: Path) -> tuple[float, float]:
    """Share of tensors that differ, and the largest difference."""
    old, new = weights(before), weights(after)
    assert old.keys() == new.keys()
    gaps = {name: float((old[name].float() - new[name].float()).abs().max()) for name in old}
    assert all(math.isfinite(gap) for gap in gaps.values())
    return sum(gap > 0 for gap in gaps.values()) / len(gaps), max(gaps.values())


def test_every_stage_changes_the_weights_and_leaves_a_model_that_can_be_loaded(run: Path) -> None:
    import transformers

    before = ensure_base_model()
    for stage in Stage:
        model = run / stage / "model"
        check_end_token(model)
        share, gap = moved(before, model)
        assert gap > 0, stage
        if stage is Stage.SFT:
            assert share > 0.5
        before = model
    model = transformers.AutoModelForCausalLM.from_pretrained(before, dtype="bfloat16")
    assert model.config.tie_word_embeddings


def test_embeddings_stay_frozen_on_a_cpu(run: Path) -> None:
    old, new = weights(ensure_base_model()), weights(run / "rl" / "model")
    assert (old["model.embed_tokens.weight"] == new["model.embed_tokens.weight"]).all()


def test_sft_lowers_the_loss(run: Path) -> None:
    losses = [m["train/loss"] for m in metrics(run, "sft")]
    assert len(losses) >= 2
    assert losses[-1] < losses[0]


def test_rollout_and_actor_give_the_same_tokens_the_same_probability(run: Path) -> None:
    found = metrics(run, "rl")
    assert len(found) == 2
    for m in found:  # also after an update: the second step's rollout runs on weights that were sent over
        assert m["training/rollout_actor_probs_pearson_corr"] > 0.99
        assert m["training/rollout_probs_diff_mean"] < 0.02


def test_distillation_reads_the_teachers_candidates(run: Path) -> None:
    (m,) = metrics(run, "opd")
    assert 0.3 < m["actor/distillation/teacher_mass"] <= 1.0
    assert 0.0 < m["actor/distillation/overlap_ratio"] <= 1.0
    assert math.isfinite(m["actor/distillation/loss"])


def test_every_head_is_a_number_in_every_step_and_no_episode_broke_down(run: Path) -> None:
    for m in metrics(run, "rl"):
        for name in (*HEADS, "total"):
            assert math.isfinite(m[f"heads/{name}/mean"])
        assert m["rollout/broken"] == 0
        assert math.isfinite(m["actor/pg_loss"])
        assert math.isfinite(m["actor/grad_norm"])


def test_rl_had_something_to_compare(run: Path) -> None:
    found = metrics(run, "rl")
    assert any(m[f"gdpo/{head}/informative"] > 0 for m in found for head in HEADS)
    assert all(0.0 <= m["groups/saturated"] <= 1.0 for m in found)
    assert all(m["tokens/tool/mean"] + m["tokens/reply/mean"] + m["tokens/both/mean"] > 0 for m in found)


def test_the_kl_to_the_start_of_rl_is_measured_and_begins_small(run: Path) -> None:
    first, second = (m["actor/kl_loss"] for m in metrics(run, "rl"))
    assert 0.0 <= first < 0.01  # the mean over two epochs: the first of them is the start itself
    assert 0.0 <= second < 1.0


def test_a_finished_run_is_left_as_it_is(run: Path) -> None:
    before = (run / "rl" / "model" / "model.safetensors").stat().st_mtime_ns
    run_stages(load(CONFIG), run)
    assert (run / "rl" / "model" / "model.safetensors").stat().st_mtime_ns == before


def test_nothing_heavy_stays_on_the_disk(run: Path) -> None:
    for stage in Stage:
        assert sum(p.stat().st_size for p in (run / stage).rglob("*") if p.is_file()) < 300e6
