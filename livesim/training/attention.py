"""Attention over packed rows that share a prefix: no mask, no work outside a row's own tokens.

Several rows lie one after the other in one sequence. Position ids alone say how: a position 0 starts a new pack, and
a jump back to a position P > 0 starts a branch, which sees the first P tokens of its pack (the shared prefix) and
itself. So four tasks under one harness, or the four answers of one group, pay for their common prompt once.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import torch
from torch.nn.functional import scaled_dot_product_attention

NAME = "shared_prefix"


@dataclass(frozen=True, slots=True)
class Branch:
    """Query tokens ``[start, end)`` that see the prefix ``[pack, pack + prefix)`` and, causally, themselves."""

    pack: int
    prefix: int
    start: int
    end: int


def branches(position_ids: torch.Tensor) -> list[Branch]:
    """How a packed sequence is to be read.

    The first branch of a pack lies right behind its prefix: both are one causal stretch with prefix 0.

    Args:
        position_ids: shape [tokens].
    """
    jumps = [0, *(torch.nonzero(position_ids.diff() != 1).flatten() + 1).tolist(), position_ids.numel()]
    found, pack = [], 0
    for start, end in itertools.pairwise(jumps):
        prefix = int(position_ids[start])
        pack = pack if prefix else start
        if prefix > start - pack:
            raise ValueError(f"position {prefix} at token {start}: its pack has only {start - pack} tokens before it")
        found.append(Branch(pack, prefix, start, end))
    return found


def shared_prefix_attention(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    position_ids: torch.Tensor | None = None,
    **_: object,
) -> tuple[torch.Tensor, None]:
    """Attention function in the form that transformers registers.

    Args:
        module: the attention layer.
        query: shape [1, heads, tokens, width]; ``key`` and ``value`` have as many or fewer heads.
        key: see ``query``.
        value: see ``query``.
        attention_mask: must be None; position ids say it all.
        scaling: of the scores.
        dropout: of the scores.
        position_ids: shape [1, tokens].

    Returns:
        Shape [1, tokens, heads, width], and None for the weights.
    """
    if attention_mask is not None or position_ids is None or query.shape[0] != 1:
        raise ValueError("shared_prefix attention needs one packed row with position ids and no mask")
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    parts = []
    for b in branches(position_ids[0]):
        q = query[:, :, b.start : b.end]
        k, v = key[:, :, b.start : b.end], value[:, :, b.start : b.end]
        mask = None
        if b.prefix:
            before = slice(b.pack, b.pack + b.prefix)
            k, v = torch.cat([key[:, :, before], k], 2), torch.cat([value[:, :, before], v], 2)
            length = b.end - b.start
            mask = torch.ones(length, b.prefix + length, dtype=torch.bool, device=q.device).tril(b.prefix)
        parts.append(
            scaled_dot_product_attention(q, k, v, mask, dropout_p=dropout, is_causal=mask is None, scale=scaling)
        )
    return torch.cat(parts, 2).transpose(1, 2).contiguous(), None


def register() -> None:
    """Make ``attn_implementation="shared_prefix"`` known to transformers. No mask is built for it."""
    from transformers import AttentionInterface

    AttentionInterface.register(NAME, shared_prefix_attention)
