"""Configurations are strict, and every file under configs/ composes into a config that verl accepts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from livesim.errors import ConfigError
from livesim.harness.augment import HSAConfig, Split
from livesim.training.hydra_text import literal
from livesim.training.settings import RlConfig, SftConfig, Stage, TrainConfig, changed, load
from livesim.training.stage_settings import hsa
from livesim.training.verl_config import planned

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("configs/cpu/*.yaml"), *ROOT.glob("configs/h20/*.yaml")])


def test_there_are_configs_for_both_machines() -> None:
    assert {"quick.yaml", "mini.yaml"} <= {p.name for p in FILES}
    h20 = {p.stem for p in FILES if p.parent.name == "h20"}
    sizes = {"qwen3_4b", "qwen3_8b", "qwen3_6_35b_a3b"}
    assert {f"{size}_{gpus}gpu" for size in sizes for gpus in (1, 8)} <= h20
    for stem in h20:
        engine = load(ROOT / f"configs/h20/{stem}.yaml").engine
        assert (engine.device, f"{engine.gpus}gpu") == ("cuda", stem.rpartition("_")[2])


def test_the_training_state_of_every_h20_config_fits_where_it_is_kept() -> None:
    parameters = {"4b": 4.0e9, "8b": 8.2e9, "6": 35e9}  # of qwen3_4b, qwen3_8b and qwen3_6
    for path in (p for p in FILES if p.parent.name == "h20"):
        config = load(path)
        training = config.engine.gpus - (config.opd.teacher_gpus if config.opd else 0)
        each = parameters[path.stem.split("_")[1]] * 16 / training
        assert config.engine.host_optimizer or each < 0.75 * 96e9, path.stem


def test_the_versions_for_cuda_are_those_that_verl_is_released_with() -> None:
    from configparser import ConfigParser
    from importlib.metadata import PackageNotFoundError, requires

    try:
        wanted = {line.partition(";")[0].strip() for line in requires("verl") or ()}
    except PackageNotFoundError:
        pytest.skip("verl is not installed")
    parser = ConfigParser()
    parser.read(ROOT / "setup.cfg")
    ours = set(parser["options.extras_require"]["cuda"].split())
    assert ours - {"livesim[train]", "verl[vllm,fsdp]==0.9.1"} <= wanted


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_every_config_is_read(path: Path) -> None:
    config = load(path)
    assert Stage.RL in config.stages()
    assert set(planned(config)) == set(config.stages())


def test_the_quick_config_takes_at_least_eight_optimiser_steps_of_rl() -> None:
    rl = load(ROOT / "configs/cpu/quick.yaml").rl
    assert rl is not None
    assert rl.steps * rl.mini_batches >= 8


def test_a_misspelt_field_is_named_with_its_neighbour(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("name: x\nrl: {stepz: 3}\n")
    with pytest.raises(ConfigError, match=r"stepz.*did you mean 'steps'"):
        load(path)


def test_overrides_reach_deep_fields(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("name: x\nsft: {harnesses: 8}\n")
    config = load(path, ("sft.batch=2", "engine.micro_tokens=1024", "rl.steps=3"))
    assert config.sft == SftConfig(harnesses=8, batch=2)
    assert config.engine.micro_tokens == 1024
    assert config.rl is not None
    assert config.rl.steps == 3


def test_an_override_without_a_value_says_how_to_write_it() -> None:
    with pytest.raises(ConfigError, match=r"write key\.sub=value"):
        changed({}, ("rl.steps",))


def plan(path: str, stage: Stage, *changes: str) -> dict[str, str]:
    """The overrides of a stage by name."""
    return dict(line.lstrip("+").split("=", 1) for line in planned(load(ROOT / path, changes))[stage])


@pytest.mark.parametrize(("path", "rows"), [("configs/cpu/quick.yaml", 1), ("configs/h20/qwen3_8b_8gpu.yaml", 16 * 4)])
def test_a_dry_run_of_sft_shows_the_rows_of_a_step_as_they_are_trained(path: str, rows: int) -> None:
    found = plan(path, Stage.SFT)  # on a CPU four tasks behind one prompt are a row, elsewhere each is one
    assert int(found["data.train_batch_size"]) == rows
    config = load(ROOT / path).sft
    assert config is not None
    assert int(found["trainer.total_training_steps"]) == config.steps


@pytest.mark.parametrize(
    ("path", "before"), [("configs/h20/qwen3_4b_1gpu.yaml", "sft"), ("configs/h20/qwen3_4b_8gpu.yaml", "opd")]
)
def test_a_dry_run_starts_a_stage_from_the_model_of_the_one_before(path: str, before: str) -> None:
    assert plan(path, Stage.RL)["actor_rollout_ref.model.path"] == f'"runs/qwen3_4b/{before}/model"'
    alone = plan("configs/h20/qwen3_4b_thinking_1gpu.yaml", Stage.RL)
    assert alone["actor_rollout_ref.model.path"] == '"models/Qwen3-4B"'


def test_old_log_probs_of_the_rollout_leave_out_the_actors_pass_and_keep_the_entropy() -> None:
    for name, bypass in (("actor", "False"), ("rollout", "True")):
        found = plan("configs/cpu/quick.yaml", Stage.RL, f"rl.old_log_probs={name}")
        assert found["algorithm.rollout_correction.bypass_mode"] == bypass
        assert found["actor_rollout_ref.actor.calculate_entropy"] == bypass
        assert found["actor_rollout_ref.actor.policy_loss.loss_mode"] == "gspo"  # the ratio's loss stays ours


def test_distillation_is_by_the_reverse_kl_and_bounded_unless_said_otherwise() -> None:
    config = TrainConfig(name="x", opd={})
    found = dict(line.lstrip("+").split("=", 1) for line in planned(config)[Stage.OPD])
    loss = "distillation.distillation_loss"
    assert found[f"{loss}.loss_mode"] == "reverse_kl_topk"
    assert found[f"{loss}.use_policy_gradient"] == "False"
    assert (found[f"{loss}.log_prob_min_clamp"], found[f"{loss}.loss_max_clamp"]) == ("-10.0", "10.0")


def test_engines_are_one_process_on_a_cpu_and_as_verl_has_them_elsewhere() -> None:
    def executors(path: str, stage: Stage) -> list[str]:
        return [v for k, v in plan(path, stage).items() if k.endswith("vllm.distributed_executor_backend")]

    one = "vllm.v1.executor.uniproc_executor.UniProcExecutor"
    assert executors("configs/cpu/quick.yaml", Stage.RL) == [one]
    assert executors("configs/cpu/quick.yaml", Stage.OPD) == [one, one]  # the student's and the teacher's
    assert executors("configs/h20/qwen3_4b_8gpu.yaml", Stage.RL) == []


def test_only_the_distillation_with_a_ratio_has_a_pass_for_old_log_probs() -> None:
    for loss, bypass in (("reverse_kl_topk", "True"), ("forward_kl_topk", "True"), ("k1", "False")):
        found = plan("configs/cpu/quick.yaml", Stage.OPD, f"opd.loss={loss}")
        assert found["algorithm.rollout_correction.bypass_mode"] == bypass
        assert found["distillation.distillation_loss.use_policy_gradient"] == str(loss == "k1")


def test_the_kl_to_the_start_can_be_measured_without_weight() -> None:
    for changes, expected in (
        ((), ("False", "0.0")),
        (("rl.measure_kl=true",), ("True", "0.0")),
        (("rl.kl=0.01",), ("True", "0.01")),
    ):
        found = plan("configs/cpu/quick.yaml", Stage.RL, *changes)
        actor = "actor_rollout_ref.actor"
        assert (found[f"{actor}.use_kl_loss"], found[f"{actor}.kl_loss_coef"]) == expected


def test_wrong_combinations_are_refused() -> None:
    with pytest.raises(ValueError, match=r"multiple of mini_batches"):
        RlConfig(prompts=3, mini_batches=2)
    with pytest.raises(ValueError, match=r"unknown augment preset 'trian'.*did you mean 'train'"):
        SftConfig(harnesses=1, augment="trian")
    with pytest.raises(ValueError, match=r"harnesses \(2\) must be at least batch \(4\)"):
        SftConfig(harnesses=2, batch=4)


def test_training_may_see_the_wider_choice() -> None:
    assert hsa(SftConfig(harnesses=4, augment="train_wide").augment).split is Split.TRAIN_WIDE


@pytest.mark.parametrize("augment", ["heldout", "heldout:hook", HSAConfig(split="heldout", dimensions={"hook": 1.0})])
def test_training_never_sees_the_held_out_split(augment: str | HSAConfig) -> None:
    for stage in (SftConfig, RlConfig):
        with pytest.raises(ValueError, match="training may not see the held-out split"):
            stage.model_validate({"augment": augment})
    with pytest.raises(ValueError, match=r"must be less than engine\.gpus"):
        TrainConfig.model_validate({"name": "x", "engine": {"device": "cuda"}, "opd": {}})


@pytest.mark.parametrize(
    ("engine", "stages", "error"),
    [
        ({"gpus": 8, "tensor_parallel": 4}, {"opd": {"teacher_gpus": 4}, "rl": {}}, None),
        ({"gpus": 8, "tensor_parallel": 4}, {"opd": {"teacher_gpus": 2}}, r"devices of opd \(6\)"),
        ({"gpus": 6, "tensor_parallel": 4}, {"opd": {"teacher_gpus": 2}}, r"devices of opd's teacher \(2\)"),
        ({"gpus": 6, "tensor_parallel": 4, "nodes": 2}, {"opd": {"teacher_gpus": 2}}, None),  # 4 of the teacher's
        ({"gpus": 6, "tensor_parallel": 4}, {"rl": {}}, r"devices of rl \(6\)"),
        ({"gpus": 6, "tensor_parallel": 4}, {"sft": {"harnesses": 8}}, None),  # nothing samples
        ({"device": "cpu", "tensor_parallel": 2}, {"opd": {}}, r"devices of opd \(1\)"),
    ],
)
def test_a_vllm_engine_must_fit_the_devices_that_are_left_for_it(
    engine: dict[str, object], stages: dict[str, object], error: str | None
) -> None:
    data = {"name": "x", "engine": {"device": "cuda", **engine}, **stages}
    if error is None:
        TrainConfig.model_validate(data)
        return
    with pytest.raises(ValueError, match=rf"engine\.tensor_parallel \({engine['tensor_parallel']}\).*{error}"):
        TrainConfig.model_validate(data)


@pytest.mark.parametrize("engine", [{"gpus": 2}, {"nodes": 2}])
def test_a_cpu_has_one_process(engine: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be 1 on a CPU"):
        TrainConfig.model_validate({"name": "x", "engine": engine})


def test_every_seed_of_an_engine_comes_from_the_seed_of_the_run() -> None:
    def seeds(seed: int) -> list[str]:
        plans = planned(load(ROOT / "configs/cpu/quick.yaml", (f"seed={seed}",)))
        return [next(o for o in plans[stage] if "seed=" in o) for stage in Stage]

    found = [int(one.rpartition("=")[2]) for seed in (1, 2) for one in seeds(seed)]
    assert len({*found}) == 6
    assert all(0 <= one < 2**31 for one in found)
    assert seeds(1) == seeds(1)


@pytest.mark.parametrize("stage", ["fixed", "sft"])
def test_only_a_teacher_that_can_slip_is_asked_to(stage: str) -> None:
    def config(teacher: str, mistakes: float) -> TrainConfig:
        return TrainConfig.model_validate(
            {"name": "x", "teacher": teacher, stage: {"harnesses": 4, "mistakes": mistakes}}
        )

    with pytest.raises(ValueError, match=rf"only oracle and oracle_plain slip on purpose: set {stage}\.mistakes=0"):
        config("react:http://127.0.0.1:8000/v1#strong", 0.1)
    assert config("react:http://127.0.0.1:8000/v1#strong", 0.0).teacher.startswith("react:")
    assert config("oracle_plain", 0.1).teacher == "oracle_plain"


def test_values_are_written_in_hydras_grammar() -> None:
    assert literal({"a": [1, None, True], "b": "x y"}) == '{a:[1,null,True],b:"x y"}'
    assert literal("segment_gdpo") == "segment_gdpo"
    assert literal("a/b.parquet") == '"a/b.parquet"'
    assert literal({"n": "1", "t": "true", "e": "1e5"}) == '{n:"1",t:"true",e:"1e5"}'  # texts stay texts


@pytest.mark.train
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_every_stage_of_every_config_is_valid_for_verl(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from livesim.training.environment import engine_environment

    for name, value in engine_environment("cpu").items():  # this machine validates configs of any other
        monkeypatch.setitem(os.environ, name, value)
    from livesim.training.verl_config import compose, validate

    config = load(path)
    for stage, overrides in planned(config).items():
        composed = compose(stage, overrides)
        assert composed.trainer.device == config.engine.device  # before verl's check, which sets it to what it found
        validate(stage, composed)
        if stage is Stage.RL:
            assert config.rl is not None
            assert composed.algorithm.segment_gdpo.estimator == config.rl.estimator
            assert composed.actor_rollout_ref.actor.ppo_epochs == config.rl.epochs
            assert composed.actor_rollout_ref.actor.ppo_mini_batch_size * config.rl.mini_batches == config.rl.prompts


@pytest.mark.train
@pytest.mark.filterwarnings("ignore")
def test_rl_on_two_nodes_is_valid_for_verl_and_its_variables_are_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    from livesim.training.environment import engine_environment

    for name, value in engine_environment("cpu").items():
        monkeypatch.setitem(os.environ, name, value)
    from livesim.training.verl_config import compose, validate

    config = load(ROOT / "configs/h20/qwen3_8b_8gpu.yaml", ("engine.nodes=2",))
    composed = compose(Stage.RL, planned(config)[Stage.RL])
    validate(Stage.RL, composed)
    assert composed.trainer.nnodes == 2
    assert composed.ray_kwargs.ray_init.address == "auto"
    assert composed.ray_kwargs.ray_init.runtime_env.env_vars.HF_HUB_OFFLINE == "1"


def test_configs_name_no_machine() -> None:
    for path in FILES:
        assert "/tmp" not in path.read_text()
        yaml.safe_load(path.read_text())
