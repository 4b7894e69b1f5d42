"""Environment variables that the engines need, per device; no engine is imported here."""

from __future__ import annotations

import os
from collections.abc import Mapping

_QUIET: Mapping[str, str] = {
    "HF_HUB_OFFLINE": "1",  # fail at once instead of waiting for a hub
    "TRANSFORMERS_OFFLINE": "1",
    "RAY_DEDUP_LOGS": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "HYDRA_FULL_ERROR": "1",
    "NO_COLOR": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
}

_CPU: Mapping[str, str] = {
    "VERL_PLATFORM": "cpu",  # select our platform in every process
    "VERL_USE_EXTERNAL_MODULES": "livesim.training.cpu",  # and load it, whatever the entry points say
    "VLLM_TARGET_DEVICE": "cpu",
    "OMP_WAIT_POLICY": "PASSIVE",  # several processes share the cores: no spinning
    "GLOO_SOCKET_IFNAME": "lo",
    "VLLM_HOST_IP": "127.0.0.1",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    "TORCHDYNAMO_DISABLE": "1",  # vLLM compiles parts of its sampler with g++, which a machine need not have
    "RAY_DISABLE_DOCKER_CPU_WARNING": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_memory_usage_threshold": "0.98",  # Ray kills workers by the memory of the whole machine, other programs' too
}


def node_rank(nodes: int) -> int:
    """``NODE_RANK`` of this machine among the ``nodes`` that run the same command; 0 prepares and exports."""
    return int(os.environ.get("NODE_RANK", "0")) if nodes > 1 else 0


def engine_environment(device: str, *, threads: int | None = None) -> dict[str, str]:
    """What to add to ``os.environ`` before verl, Ray or vLLM is imported.

    Args:
        device: ``"cpu"`` or ``"cuda"``.
        threads: OpenMP threads of each process; default: the cores of this machine. Ray would set 1 otherwise.
    """
    if device != "cpu":
        return dict(_QUIET)
    count = str(threads or len(os.sched_getaffinity(0)))
    return {
        **_QUIET,
        **_CPU,
        "OMP_NUM_THREADS": count,
        "TQ_NUM_THREADS": count,
    }
