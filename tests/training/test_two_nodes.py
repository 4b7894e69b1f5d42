"""The multi-node path: verl's placement, our environment variables and an agent's episodes reach a second Ray node."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from livesim.training.settings import EngineConfig
from livesim.training.verl_overrides import ray_init

SCRIPT = Path(__file__).with_name("ray_two_nodes.py")


def test_several_nodes_are_joined_and_one_is_started() -> None:
    joined = ray_init(EngineConfig(nodes=2, device="cuda"))
    assert joined["++ray_kwargs.ray_init.address"] == "auto"
    assert "num_cpus" not in str(joined)  # Ray refuses to join a cluster with resources of its own
    assert joined["++ray_kwargs.ray_init.runtime_env"]["env_vars"]["HF_HUB_OFFLINE"] == "1"  # type: ignore[index]
    assert ray_init(EngineConfig(device="cuda")) == {}
    assert ray_init(EngineConfig(), devices=2)["++ray_kwargs.ray_init.num_gpus"] == 2


@pytest.mark.train
@pytest.mark.timeout(240)
def test_a_worker_on_each_of_two_nodes_plays_and_scores() -> None:
    pytest.importorskip("ray")
    pytest.importorskip("verl")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("VERL_", "RAY_"))}
    quiet = {"RAY_USAGE_STATS_ENABLED": "0", "OMP_NUM_THREADS": "1", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
    done = subprocess.run(
        [sys.executable, str(SCRIPT)], capture_output=True, text=True, timeout=200, env={**clean, **quiet}, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(next(line for line in done.stdout.splitlines() if line.startswith('{"placed"')))
    assert len(set(told["placed"])) == 2
    assert [one["node"] for one in told["found"]] == told["placed"]
    assert [one["platform"] for one in told["found"]] == ["cpu", "cpu"]
    assert all(one["heads"]["accuracy"] == 1.0 for one in told["found"])
