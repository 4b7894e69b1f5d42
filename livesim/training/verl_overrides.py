"""Each stage's settings as overrides of verl's own configuration."""

from __future__ import annotations

from pathlib import Path

from livesim.seeding import derive
from livesim.training.environment import engine_environment
from livesim.training.hydra_text import Overrides, overrides
from livesim.training.settings import EngineConfig, OpdConfig, RlConfig, SftConfig
from livesim.types import JsonValue

CLIPS = {"gspo": (3e-4, 4e-4), "ppo": (0.2, 0.2)}
"""Default clip range of each ratio: that of GSPO (arXiv 2507.18071), and PPO's."""

RESUMED = ["model", "optimizer", "extra"]
"""What a run that goes on reads, also when it no longer saves any of it."""

FAR_NAT = 10.0
"""In distillation no log-probability counts as less than minus this, and no token's loss as more."""

TEACHER_KEY = "general"

FUSED = {"fused": True}
"""One pass over the parameters: on a CPU a quarter of the time of the default AdamW."""

CACHE_BLOCK_TOKENS = 32
"""Of vLLM's prefix cache on a CPU. Whole blocks alone are found again, and a host speaks several short turns a request:
with vLLM's 128 a quarter of the processor time of an evaluation went into what had been computed before."""


IN_ONE_PROCESS = "vllm.v1.executor.uniproc_executor.UniProcExecutor"
"""vLLM's engine and worker in one process: two wait for each other by spinning, on the cores that the worker needs.

Given by its path, as vLLM-CPU takes the name ``uni`` for two processes, so as to set OpenMP's variables in the second;
here they are set for all (``engine_environment``)."""


def kv_cache_bytes(gib: float) -> int:
    """What vLLM's ``kv_cache_memory_bytes`` wants."""
    return int(gib * 2**30)


def engine_seed(seed: int, *path: str) -> int:
    """A seed out of the run's that NumPy and vLLM take: less than 2**31."""
    return derive(seed, *path) % 2**31


def offline_engine(engine: EngineConfig) -> dict[str, JsonValue]:
    """Arguments of ``vllm.LLM`` that depend on where it runs."""
    if engine.device != "cpu":
        return {"max_num_seqs": engine.sequences, "gpu_memory_utilization": engine.gpu_memory_share}
    return {
        "max_num_seqs": engine.sequences,
        "dtype": "bfloat16",
        "enforce_eager": True,
        "block_size": CACHE_BLOCK_TOKENS,
        "kv_cache_memory_bytes": kv_cache_bytes(engine.kv_cache_gib),
    }


def attention(engine: EngineConfig) -> str:
    """The attention implementation that ``auto`` stands for."""
    if engine.attention != "auto":
        return engine.attention
    return "shared_prefix" if engine.device == "cpu" else "flash_attention_2"


def bundled(engine: EngineConfig) -> bool:
    """Whether an SFT row is a whole draw of the harness, its tasks behind one prompt, and not a single task."""
    return attention(engine) == "shared_prefix"


def _model(prefix: str, engine: EngineConfig, path: Path | str) -> dict[str, object]:
    settings: dict[str, object] = {
        f"{prefix}.path": str(path),
        f"+{prefix}.override_config.attn_implementation": attention(engine),
        f"{prefix}.enable_gradient_checkpointing": engine.gradient_checkpointing,
        f"{prefix}.use_remove_padding": True,
    }
    if engine.device == "cpu":
        settings[f"{prefix}.external_lib"] = "livesim.training.engine"
    return settings


def sft(
    config: SftConfig,
    engine: EngineConfig,
    *,
    model: Path | str,
    data: Path,
    folder: Path,
    name: str,
    seed: int,
    tasks: int,
) -> Overrides:
    """For ``livesim.training.sft_entry``. ``tasks``: of one draw of the harness."""
    saves = [*RESUMED, "hf_model"] if config.save_every else ["hf_model"]
    return overrides(
        {
            "data.train_files": str(data),
            "data.val_files": None,
            "data.train_batch_size": config.batch * (1 if bundled(engine) else tasks),
            "data.custom_cls.path": "pkg://livesim.training.sft_dataset",
            "data.custom_cls.name": "TokenDataset",
            "data.max_length": config.row_tokens,
            "data.max_token_len_per_gpu": engine.micro_tokens,
            "data.use_dynamic_bsz": True,
            "data.num_workers": 0,
            **_model("model", engine, model),
            "engine": "fsdp",
            "engine.strategy": "fsdp2",
            "engine.use_torch_compile": False,
            "engine.reshard_after_forward": engine.device != "cpu",
            "engine.param_offload": engine.offload,
            "engine.optimizer_offload": engine.offload,
            "engine.offload_policy": engine.host_optimizer,
            "optim.lr": config.lr,
            "optim.lr_warmup_steps_ratio": config.warmup,
            "optim.lr_scheduler_type": "cosine",
            "optim.min_lr_ratio": 0.1,
            "optim.weight_decay": config.weight_decay,
            "optim.betas": [0.9, 0.98],
            "optim.clip_grad": 1.0,
            "optim.override_optimizer_config": FUSED,
            "trainer.device": engine.device,
            "trainer.n_gpus_per_node": engine.gpus,
            "trainer.nnodes": engine.nodes,
            "trainer.logger": ["console"],
            "trainer.project_name": name,
            "trainer.experiment_name": "sft",
            "trainer.seed": engine_seed(seed, "sft", "order"),
            "trainer.total_epochs": config.epochs,
            "trainer.total_training_steps": config.steps,
            "trainer.default_local_dir": str(folder),
            "trainer.resume_mode": "auto",
            "trainer.save_freq": config.save_every or -1,
            "trainer.test_freq": -1,
            "checkpoint.save_contents": saves,
            "checkpoint.load_contents": RESUMED,
        }
    )


def _ppo(
    config: RlConfig | OpdConfig,
    engine: EngineConfig,
    *,
    model: Path | str,
    data: Path,
    folder: Path,
    loop: Path,
    name: str,
    seed: int,
    context_tokens: int,
) -> dict[str, object]:
    """What RL and distillation have in common. ``context_tokens``: of one rollout, prompt and answer."""
    cpu = engine.device == "cpu"
    a = "actor_rollout_ref"
    saves = [*RESUMED, "hf_model"] if config.save_every else ["hf_model"]
    settings: dict[str, object] = {
        "algorithm.adv_estimator": "grpo",
        "algorithm.use_kl_in_reward": False,
        "data.train_files": str(data),
        "data.val_files": str(data),
        "data.dataloader_num_workers": 0,
        "data.shuffle": False,
        "data.filter_overlong_prompts": False,
        "data.train_batch_size": config.prompts,
        "data.max_prompt_length": config.prompt_tokens,
        "data.max_response_length": config.answer_tokens,
        **_model(f"{a}.model", engine, model),
        f"{a}.actor.strategy": "fsdp2",
        f"{a}.actor.fsdp_config.strategy": "fsdp2",
        f"{a}.actor.fsdp_config.use_torch_compile": not cpu,
        f"{a}.actor.fsdp_config.reshard_after_forward": not cpu,
        f"{a}.actor.fsdp_config.param_offload": engine.offload,
        f"{a}.actor.fsdp_config.optimizer_offload": engine.offload,
        f"{a}.actor.fsdp_config.offload_policy": engine.host_optimizer,
        f"{a}.actor.use_torch_compile": not cpu,
        f"{a}.actor.use_dynamic_bsz": True,
        f"{a}.actor.ppo_max_token_len_per_gpu": engine.micro_tokens,
        f"{a}.actor.optim.lr": config.lr,
        f"{a}.actor.optim.weight_decay": 0.0,
        f"{a}.actor.optim.betas": [0.9, 0.98],
        f"{a}.actor.optim.override_optimizer_config": FUSED,
        f"{a}.actor.checkpoint.save_contents": saves,
        f"{a}.actor.checkpoint.load_contents": RESUMED,
        f"{a}.rollout.name": "vllm",
        f"{a}.rollout.n": config.group,
        f"{a}.rollout.temperature": config.temperature,
        f"{a}.rollout.max_model_len": context_tokens,
        f"{a}.rollout.max_num_batched_tokens": max(2048, context_tokens),
        f"{a}.rollout.agent.agent_loop_config_path": str(loop),
        f"{a}.rollout.seed": seed,
        f"{a}.rollout.log_prob_use_dynamic_bsz": True,
        f"{a}.rollout.log_prob_max_token_len_per_gpu": engine.log_prob_tokens,
        f"{a}.rollout.tensor_model_parallel_size": engine.tensor_parallel,
        f"{a}.rollout.max_num_seqs": engine.sequences,
        f"{a}.rollout.calculate_log_probs": True,
        f"{a}.rollout.top_p": 1.0,
        "reward.reward_manager.name": "naive",
        "trainer.device": engine.device,
        "trainer.n_gpus_per_node": engine.gpus,
        "trainer.nnodes": engine.nodes,
        "trainer.logger": ["console"],
        "trainer.project_name": name,
        "trainer.val_before_train": False,
        "trainer.test_freq": -1,
        "trainer.save_freq": config.save_every or config.steps,
        "trainer.total_training_steps": config.steps,
        "trainer.total_epochs": 1,
        "trainer.resume_mode": "auto",
        "trainer.default_local_dir": str(folder),
    }
    if cpu:
        settings |= {
            f"{a}.rollout.enforce_eager": True,
            f"{a}.rollout.free_cache_engine": False,  # vLLM-CPU has no sleep mode
            f"+{a}.rollout.enable_sleep_mode": False,
            f"{a}.rollout.load_format": "auto",
            f"{a}.rollout.checkpoint_engine.update_weights_bucket_megabytes": 256,
            f"+{a}.rollout.engine_kwargs.vllm.worker_extension_cls": "livesim.training.cpu_vllm.CpuWorkerExtension",
            f"+{a}.rollout.engine_kwargs.vllm.distributed_executor_backend": IN_ONE_PROCESS,
            f"+{a}.rollout.engine_kwargs.vllm.kv_cache_memory_bytes": kv_cache_bytes(engine.kv_cache_gib),
            f"+{a}.rollout.engine_kwargs.vllm.block_size": CACHE_BLOCK_TOKENS,
            # verl starts 8 + 8 workers and 8 storage units of half a gigabyte each
            f"{a}.rollout.agent.num_workers": 1,
            "reward.num_workers": 1,
            "transfer_queue.backend.SimpleStorage.num_data_storage_units": 1,
        }
    else:
        settings |= {
            f"{a}.rollout.gpu_memory_utilization": engine.gpu_memory_share,
            f"{a}.rollout.enforce_eager": False,
            f"{a}.rollout.free_cache_engine": True,
            f"{a}.rollout.load_format": "dummy",
        }
    return settings | ray_init(engine)


def ray_init(engine: EngineConfig, *, devices: int = 1) -> dict[str, object]:
    """How Ray is started or, for several nodes, joined.

    Args:
        engine: where it runs.
        devices: logical ones, for a CPU alone.
    """
    r = "ray_kwargs.ray_init"
    if engine.nodes > 1:
        # Ray's workers on other machines have the environment of ``ray start`` there, not that of this process.
        variables = engine_environment(engine.device)
        return {f"++{r}.address": "auto", f"++{r}.runtime_env": {"env_vars": variables}}
    if engine.device != "cpu":
        return {}
    return {
        f"{r}.num_cpus": 8,  # logical, so that every actor finds a place on two cores
        f"++{r}.num_gpus": devices,  # logical: verl places its workers by GPU
        f"+{r}.object_store_memory": 500_000_000,
        f"+{r}.include_dashboard": False,
        f"+{r}._node_ip_address": "127.0.0.1",
    }


def rl(
    config: RlConfig,
    engine: EngineConfig,
    *,
    model: Path | str,
    data: Path,
    folder: Path,
    loop: Path,
    name: str,
    seed: int,
) -> Overrides:
    """For ``livesim.training.entry`` with the trainer mode ``segment_gdpo``."""
    a = "actor_rollout_ref"
    low, high = CLIPS[config.ratio]
    heads = [
        {k: v for k, v in head.model_dump().items() if v is not None and (k != "needs_value" or head.needs_head)}
        for head in config.heads
    ]
    settings = _ppo(
        config,
        engine,
        model=model,
        data=data,
        folder=folder,
        loop=loop,
        name=name,
        seed=engine_seed(seed, "rl", "rollout"),
        context_tokens=config.prompt_tokens + config.answer_tokens,
    )
    settings |= {
        "trainer.v1.trainer_mode": "segment_gdpo",
        "trainer.experiment_name": "rl",
        "trainer.rollout_data_dir": str(folder.parent / "rollouts"),
        "+algorithm.segment_gdpo.estimator": config.estimator,
        "+algorithm.segment_gdpo.std_floor": config.std_floor,
        "+algorithm.segment_gdpo.whiten": config.whiten,
        "+algorithm.segment_gdpo.heads": heads,
        f"{a}.actor.ppo_mini_batch_size": config.prompts // config.mini_batches,
        f"{a}.actor.ppo_epochs": config.epochs,
        f"{a}.actor.policy_loss.loss_mode": "gspo" if config.ratio == "gspo" else "vanilla",
        f"{a}.actor.loss_agg_mode": "seq-mean-token-mean" if config.ratio == "gspo" else "token-mean",
        f"{a}.actor.clip_ratio_low": low if config.clip_low is None else config.clip_low,
        f"{a}.actor.clip_ratio_high": high if config.clip_high is None else config.clip_high,
        "algorithm.rollout_correction.bypass_mode": config.old_log_probs == "rollout",
        f"{a}.actor.calculate_entropy": config.old_log_probs == "rollout",  # else the actor's pass reports it
        f"{a}.actor.use_kl_loss": config.kl > 0 or config.measure_kl,
        f"{a}.actor.kl_loss_coef": config.kl,
        f"{a}.rollout.agent.default_agent_loop": "live_stream",
    }
    return overrides(settings)


def opd(
    config: OpdConfig,
    engine: EngineConfig,
    *,
    model: Path | str,
    teacher: Path | str,
    data: Path,
    folder: Path,
    loop: Path,
    name: str,
    seed: int,
) -> Overrides:
    """For ``livesim.training.entry`` with verl's own distillation; the teacher runs in a second engine."""
    a, d = "actor_rollout_ref", "distillation"
    teachers = 1
    if engine.device == "cuda":
        teachers = config.teacher_gpus
        engine = engine.model_copy(update={"gpus": engine.gpus - teachers})
    t = f"{d}.teacher_models.teacher_model"
    length = config.prompt_tokens + config.answer_tokens + 8
    settings = _ppo(
        config,
        engine,
        model=model,
        data=data,
        folder=folder,
        loop=loop,
        name=name,
        seed=engine_seed(seed, "opd", "rollout"),
        context_tokens=length,
    )
    settings |= {
        "trainer.v1.trainer_mode": "prompt_sync",
        f"{a}.rollout.agent.default_agent_loop": "general",
        "trainer.experiment_name": "opd",
        f"{a}.actor.ppo_mini_batch_size": config.prompts,
        "algorithm.rollout_correction.bypass_mode": config.loss != "k1",  # the others have no ratio: no pass for it
        f"{a}.actor.use_kl_loss": False,
        f"{d}.enabled": True,
        f"{d}.n_gpus_per_node": teachers,
        f"{d}.nnodes": engine.nodes,
        f"{t}.key": TEACHER_KEY,
        f"{t}.model_path": str(teacher),
        f"{t}.num_replicas": teachers * engine.nodes // engine.tensor_parallel,
        f"{t}.inference.tensor_model_parallel_size": engine.tensor_parallel,
        f"{t}.inference.max_model_len": length,
        f"{t}.inference.max_num_batched_tokens": max(2048, length),
        f"{t}.inference.max_num_seqs": engine.sequences,
        f"{d}.distillation_loss.loss_mode": config.loss,
        f"{d}.distillation_loss.topk": config.topk,
        f"{d}.distillation_loss.log_prob_min_clamp": -FAR_NAT,
        f"{d}.distillation_loss.loss_max_clamp": FAR_NAT,
        f"{d}.distillation_loss.use_policy_gradient": config.loss == "k1",
        f"{d}.distillation_loss.use_task_rewards": False,
    }
    if engine.device == "cpu":
        settings |= ray_init(engine, devices=2)  # one more, for the teacher
        settings |= {
            f"{t}.inference.enforce_eager": True,
            f"+{t}.inference.engine_kwargs.vllm.distributed_executor_backend": IN_ONE_PROCESS,
            f"+{t}.inference.engine_kwargs.vllm.kv_cache_memory_bytes": kv_cache_bytes(engine.kv_cache_gib),
            f"{t}.inference.free_cache_engine": False,
            f"+{t}.inference.enable_sleep_mode": False,
        }
    else:
        settings |= {
            f"{a}.model.external_lib": "livesim.training.reverse_kl",  # on a CPU the engine brings it
            f"{t}.inference.gpu_memory_utilization": 0.8,
        }
    return overrides(settings)
