"""Reverse KL of the student to the teacher's best candidates and the rest, as a distillation loss of verl.

verl 0.9.1 has a forward KL over the teacher's top k, and for the reverse direction one-sample estimates alone (its k3,
back-propagated, has the gradient of the forward KL). Imported by verl through ``model.external_lib``: the loss is
registered, and the one function that verl calls for every top-k loss asks for ours where that is configured.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from verl.trainer.distillation import losses
from verl.trainer.distillation.fsdp import losses as fsdp_losses

NAME = "reverse_kl_topk"

_LEAST = -16.0  # nat; where verl's log_prob_min_clamp is off: what fp32 leaves of 1 minus a sum is noise below it


def reverse_kl(
    student_logits: torch.Tensor, teacher_log_probs: torch.Tensor, ids: torch.Tensor, least: float = _LEAST
) -> torch.Tensor:
    """``KL(student || teacher)`` with every token outside ``ids`` counted as one, in nats.

    Never more than the KL over the whole vocabulary, and equal to it when ``ids`` is the vocabulary. The rest matters:
    without it, mass that the student moves away from the teacher's candidates would cost nothing.

    Args:
        student_logits: shape [..., vocabulary].
        teacher_log_probs: of the candidates, shape [..., k].
        ids: the candidates, shape [..., k].
        least: log-probabilities below it count as it.
    """
    chosen = (student_logits.gather(-1, ids) - student_logits.logsumexp(-1, keepdim=True)).clamp_min(least)
    p, log_p = _with_rest(chosen, least)
    _, log_q = _with_rest(teacher_log_probs.clamp_min(least), least)
    return (p * (log_p - log_q)).sum(-1)


def _with_rest(log_probs: torch.Tensor, least: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Probabilities and their logarithms, with one more for everything else."""
    probs = log_probs.exp()
    rest = (1.0 - probs.sum(-1, keepdim=True)).clamp_min(math.exp(least))
    return torch.cat([probs, rest], -1), torch.cat([log_probs, rest.log()], -1)


def register() -> None:
    """Make the loss known to verl in this process; again is harmless."""
    if NAME in losses.DISTILLATION_LOSS_REGISTRY:
        return
    settings = losses.DistillationLossSettings(names=[NAME], use_topk=True)
    losses.register_distillation_loss(settings)(losses.compute_forward_kl_topk)  # it only reads what was computed
    stock = fsdp_losses.compute_forward_kl_topk

    def compute(
        student_logits: torch.Tensor,
        teacher_topk_log_probs: torch.Tensor,
        teacher_topk_ids: torch.Tensor,
        config: Any,
        data_format: str,
    ) -> dict[str, torch.Tensor]:
        settings = config.distillation_loss
        given = (student_logits, teacher_topk_log_probs, teacher_topk_ids, config, data_format)
        if settings.loss_mode != NAME:
            return stock(*given)  # type: ignore[no-any-return]
        with torch.no_grad():
            found: dict[str, torch.Tensor] = stock(*given)  # its diagnostics: masses and overlap
        found["distillation_losses"] = reverse_kl(
            student_logits.float(),
            teacher_topk_log_probs.values()[None].float(),
            teacher_topk_ids.values()[None],
            _LEAST if settings.log_prob_min_clamp is None else settings.log_prob_min_clamp,
        )
        return found

    fsdp_losses.compute_forward_kl_topk = compute


register()
