"""Attention over packed rows that share a prefix: no mask, no work outside a row's own tokens.

Several rows lie one after the other in one sequence. Position ids alone say how: a position 0 starts a new pack, and
a jump back to a position P > 0 starts a branch, which sees the first P tokens of its pack (the shared prefix) and
itself. So four tasks under one harness, or the four answers of one group, pay for their common prompt once.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

import torch

NAME = "shared_prefix"

_QUERIES = 256  # queries of one product; longer ones compute too much that causality then hides


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
    if dropout:
        raise ValueError("shared_prefix attention has no dropout")
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    parts = []
    for b in branches(position_ids[0]):
        for start in range(b.start, b.end, _QUERIES):
            end = min(b.end, start + _QUERIES)
            k, v = key[:, :, b.start : end], value[:, :, b.start : end]
            if b.prefix:
                before = slice(b.pack, b.pack + b.prefix)
                k, v = torch.cat([key[:, :, before], k], 2), torch.cat([value[:, :, before], v], 2)
            parts.append(_attend(query[:, :, start:end], k, v, b.prefix + start - b.start, scale))
    return torch.cat(parts, 2).transpose(1, 2).contiguous(), None


def _attend(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, seen: int, scale: float) -> torch.Tensor:
    """Attention of consecutive queries that all see the first ``seen`` keys and, causally, those after.

    Written out in matrix products: with few heads of width 64, PyTorch's fused CPU kernel needs 2.5 times as long for
    forward and backward, with the same error against fp32. Query heads that share a key head are one product.
    """
    heads, length, width = query.shape[1:]
    shared, keys = key.shape[1], key.shape[2]
    each = heads // shared
    scores = torch.baddbmm(
        _bias(length, keys, seen, each, query.dtype, query.device).expand(shared, -1, -1),
        query.reshape(shared, each * length, width),
        key[0].transpose(1, 2),
        alpha=scale,
    )
    return torch.bmm(scores.softmax(-1), value[0]).view(1, heads, length, width)


@lru_cache(maxsize=64)
def _bias(length: int, keys: int, seen: int, each: int, dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    """What hides later keys, for ``each`` query heads; the same in all layers. Shape [each * length, keys]."""
    visible = torch.ones(length, keys, dtype=torch.bool, device=device).tril(seen)
    return torch.zeros(length, keys, dtype=dtype, device=device).masked_fill_(~visible, -torch.inf).repeat(each, 1)


def register() -> None:
    """Make ``attn_implementation="shared_prefix"`` known to transformers. No mask is built for it."""
    from transformers import AttentionInterface

    AttentionInterface.register(NAME, shared_prefix_attention)
