"""Log-probabilities and entropy of bf16 logits, computed in fp32 in chunks.

Without flash-attn verl takes the log-softmax row by row in bf16: values on a grid of 1/64 to 1/16 nat, and a slow
backward. On CUDA flash-attn's kernel works in fp32; this is its counterpart for a CPU.
"""

from __future__ import annotations

from typing import Any

import torch

_ROWS = 256


class _LogProb(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """Logit of the label minus the logarithm of the sum."""
        total = torch.cat([torch.logsumexp(part.float(), -1) for part in logits.split(_ROWS)])
        ctx.save_for_backward(logits, labels, total)
        return logits.gather(-1, labels[:, None])[:, 0].float() - total

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor, None]:
        """(one-hot - softmax) times the incoming gradient."""
        logits, labels, total = ctx.saved_tensors
        (grad,) = grads
        out = torch.empty_like(logits)
        for start in range(0, logits.size(0), _ROWS):
            rows = slice(start, start + _ROWS)
            part = (logits[rows].float() - total[rows, None]).exp_().mul_(-grad[rows, None])
            part.scatter_add_(-1, labels[rows, None], grad[rows, None].to(part.dtype))
            out[rows] = part.to(out.dtype)
        return out, None


def log_probs(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """fp32 log-probability of each label; shapes [n, vocabulary] and [n] give [n]. Differentiable once."""
    result: torch.Tensor = _LogProb.apply(logits, labels)
    return result


def entropy(logits: torch.Tensor) -> torch.Tensor:
    """fp32 entropy in nats of each row of ``logits`` (shape [n, vocabulary])."""
    parts = []
    for part in logits.split(_ROWS):
        logp = torch.log_softmax(part.float(), -1)
        parts.append(-(logp.exp() * logp).sum(-1))
    return torch.cat(parts)
