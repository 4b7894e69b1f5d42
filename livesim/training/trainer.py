"""verl's synchronous trainer that looks for rollouts more often, and with segment GDPO. Not tied to a device."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
import transfer_queue as tq
from tensordict import TensorDict
from verl.trainer.ppo.v1.trainer_base import register_trainer
from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync

from livesim.errors import TrainingError
from livesim.training import export
from livesim.training.advantage import (
    ADVANTAGES_ONLY,
    HeadWeight,
    Mark,
    checked,
    grpo,
    per_token,
    saturated,
    segment_gdpo,
)

PROMPT_SYNC = "prompt_sync"
SEGMENT_GDPO = "segment_gdpo"
POLL_S = 0.2  # verl looks for finished rollouts every 2 s


@register_trainer(PROMPT_SYNC)
class PromptSyncTrainer(PPOTrainerSync):  # type: ignore[misc]
    """The stock synchronous trainer, polling faster (with short rollouts its 2 s count), keeping one checkpoint."""

    # The base class branches on == "sync" (replay buffer, checkpoints); a new name must not change that.
    trainer_mode = property(lambda self: "sync", lambda self, value: None)

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.replay_buffer.poll_interval = POLL_S

    def _save_checkpoint(self) -> None:
        super()._save_checkpoint()
        export.settle(Path(self.config.trainer.default_local_dir))


@register_trainer(SEGMENT_GDPO)
class SegmentGdpoTrainer(PromptSyncTrainer):
    """The synchronous trainer; the advantage is ours, and the order of a step's rows.

    Settings in ``algorithm.segment_gdpo``: ``estimator`` (``"gdpo"`` or ``"grpo"``), ``heads`` (a list of name,
    segment, weight, and optionally ``needs_head`` with ``needs_value``), ``std_floor``, ``whiten``.
    """

    def _balance_batch(self, batch: Any, metrics: dict[str, Any], **settings: Any) -> Any:
        """Group by group.

        verl's rows come in the order in which their episodes ended, and its mini-batches are cut from that: the first
        one would hold the short episodes, and a group be torn apart, its prompt read once more in each part.
        """
        data = tq.kv_batch_get(keys=batch.keys, partition_id=batch.partition_id, select_fields=["extra_fields"])
        episodes = [fields["episode"] for fields in data["extra_fields"]]
        batch.reorder(sorted(range(len(episodes)), key=lambda i: (episodes[i], batch.keys[i])))
        return super()._balance_batch(batch, metrics, **settings)

    def _compute_advantage(self, batch: Any, metrics: dict[str, Any]) -> Any:
        if self.config.algorithm.use_kl_in_reward:
            raise TrainingError("segment_gdpo has no KL in the reward: use actor.use_kl_loss")
        fields = ["uid", "response_mask", "extra_fields"]
        data = tq.kv_batch_get(keys=batch.keys, partition_id=batch.partition_id, select_fields=fields)
        mask = data["response_mask"]
        extra = list(data["extra_fields"])
        uids = [str(uid) for uid in list(data["uid"])]
        rows = mask.unbind()
        played = [i for i, tag in enumerate(batch.tags) if not tag.get("is_padding", False)]
        scored = [i for i in played if extra[i]["reward_extra_info"]["valid"]]
        if not scored:
            raise TrainingError("no valid episode in this batch: every rollout broke down, see the log above")
        values = self._advantages([extra[i] for i in scored], [uids[i] for i in scored], metrics)
        metrics["rollout/broken"] = len(played) - len(scored)
        metrics["rollout/env_s"] = sum(extra[i]["env_s"] for i in played)
        for mark in Mark:
            of_mark = [sum(code == mark.code for code in extra[i]["marks"]) for i in scored]
            metrics[f"tokens/{mark.value}/mean"] = float(np.mean(of_mark))
        advantages = [torch.zeros(row.numel()) for row in rows]
        for i, value in zip(scored, values, strict=True):
            advantages[i] = torch.from_numpy(value).float() * rows[i]
        nested = torch.nested.as_nested_tensor(advantages, layout=torch.jagged)
        output = TensorDict({"advantages": nested, "returns": nested.clone()}, batch_size=len(batch))
        return tq.kv_batch_put(keys=batch.keys, partition_id=batch.partition_id, fields=output)

    def _update_actor(self, batch: Any, metrics: dict[str, Any]) -> Any:
        actor = self.config.actor_rollout_ref.actor
        batch.extra_info[ADVANTAGES_ONLY] = not (actor.use_kl_loss and actor.kl_loss_coef) and not actor.entropy_coeff
        batch = super()._update_actor(batch, metrics)
        if "actor/entropy_loss" in metrics:  # verl's name for it where no pass before the update reports it
            metrics["actor/entropy"] = metrics.pop("actor/entropy_loss")
        return batch

    def _advantages(self, rows: list[Any], groups: list[str], metrics: dict[str, Any]) -> list[Any]:
        settings = self.config.algorithm.segment_gdpo
        weights = [
            HeadWeight(
                name=h.name,
                segment=h.segment,
                weight=h.get("weight", 1.0),
                needs=(h.needs_head, h.needs_value) if h.get("needs_head") else None,
            )
            for h in settings.heads
        ]
        names = list(dict.fromkeys([*(w.name for w in weights), *(w.needs[0] for w in weights if w.needs), "total"]))
        infos = [row["reward_extra_info"] for row in rows]
        heads = checked(infos, names, [row["episode"] for row in rows])
        for name, values in heads.items():
            metrics[f"heads/{name}/mean"] = float(values.mean())
        original = np.array([info["original"] for info in infos], dtype=bool)
        for label, part in (("original", original), ("varied", ~original)):
            if part.any():
                metrics[f"heads/total/{label}"] = float(heads["total"][part].mean())
        if settings.estimator == "grpo":
            found = grpo(heads["total"], groups, floor=settings.std_floor)
        else:
            found = segment_gdpo(heads, groups, weights, floor=settings.std_floor, whitened=settings.whiten)
        metrics["groups/saturated"] = saturated(heads, groups, weights)
        for name, share in found.informative.items():
            metrics[f"gdpo/{name}/informative"] = share
        return per_token(found, [row["marks"] for row in rows])
