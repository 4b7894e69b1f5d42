"""Run by ``test_two_nodes``: a Ray cluster of two nodes on this machine, joined as a run with ``engine.nodes: 2`` does.

The nodes are started with an environment that knows nothing of ours, as those of another machine would be. Prints
JSON: for every node, what a worker placed there by verl's own resource pool saw and earned.
"""

from __future__ import annotations

import json
import os


def work(seed: int) -> dict[str, object]:
    """What an agent-loop worker does: play an episode and score it; with what the node's environment looks like."""
    import ray

    from livesim import roster
    from livesim.env import LiveStreamEnv
    from livesim.rollout import play

    episode = play(roster.agent("oracle"), LiveStreamEnv(harness="compact", requests=1), seed)
    return {
        "node": ray.get_runtime_context().get_node_id(),
        "platform": os.environ.get("VERL_PLATFORM"),
        "heads": dict(episode.heads),
    }


def main() -> None:
    """Start the cluster, place a group on each node, run a worker in each."""
    import ray
    from ray.cluster_utils import Cluster
    from ray.util.placement_group import placement_group_table
    from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

    cluster = Cluster()
    for _ in range(2):  # the GPU is a logical one: verl places its workers by it
        cluster.add_node(num_cpus=1, num_gpus=1, object_store_memory=100_000_000, include_dashboard=False)

    from livesim.training.environment import engine_environment
    from livesim.training.settings import EngineConfig
    from livesim.training.verl_overrides import ray_init

    engine = EngineConfig(nodes=2)
    os.environ.update(engine_environment("cpu"))
    from verl.single_controller.ray.base import RayResourcePool

    settings = ray_init(engine)
    ray.init(address=cluster.address, runtime_env=settings["++ray_kwargs.ray_init.runtime_env"], log_to_driver=False)
    pool = RayResourcePool(process_on_nodes=[engine.gpus] * engine.nodes, max_colocate_count=1)
    groups = pool.get_placement_groups(device_name="cpu")
    placed = [placement_group_table(group)["bundles_to_node_id"][0] for group in groups]
    remote = ray.remote(num_cpus=1)(work)
    runs = [
        remote.options(scheduling_strategy=PlacementGroupSchedulingStrategy(placement_group=group)).remote(seed)
        for seed, group in enumerate(groups)
    ]
    print(json.dumps({"placed": placed, "found": ray.get(runs, timeout=120)}))
    ray.shutdown()
    cluster.shutdown()


if __name__ == "__main__":
    main()
