"""Rows of a micro-batch laid into one sequence, common prompts once; which logits are needed and where they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

MIN_SHARED_TOKENS = 32


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its ids, its position ids, and where logits are needed (positions that predict a trained token)."""

    ids: torch.Tensor
    positions: torch.Tensor
    wanted: torch.Tensor  # sorted positions in the row

    @property
    def key(self) -> bytes | None:
        """Equal for rows with the same prompt; None when the row cannot share (it is packed already, or untrained)."""
        prompt = int(self.wanted[0]) if self.wanted.numel() else 0
        plain = int(self.positions[0]) == 0 and int(self.positions[-1]) == self.positions.numel() - 1
        if not plain or prompt < MIN_SHARED_TOKENS:
            return None
        return bytes(self.ids[:prompt].numpy().tobytes())


@dataclass(frozen=True, slots=True)
class Packed:
    """A packed sequence.

    Attributes:
        ids: shape [tokens].
        positions: shape [tokens]; read by ``attention.branches``.
        logits_at: positions in the sequence whose logits are computed.
        labels: the token that each of them predicts.
        origin: for each of them, its place in the rows laid end to end without sharing.
    """

    ids: torch.Tensor
    positions: torch.Tensor
    logits_at: torch.Tensor
    labels: torch.Tensor
    origin: torch.Tensor


def groups(rows: Sequence[Row]) -> list[tuple[list[int], int]]:
    """Rows that share a prompt: their indices in order of first appearance, and how many tokens they share."""
    found: dict[object, list[int]] = {}
    for index, row in enumerate(rows):
        found.setdefault(row.key or index, []).append(index)
    return [(group, int(rows[group[0]].wanted[0]) if len(group) > 1 else 0) for group in found.values()]


def common_prefix(rows: Sequence[Row]) -> int:
    """How many tokens all rows begin with, each of them before its first needed logit."""
    shortest = min(int(row.wanted[0]) for row in rows)
    heads = torch.stack([row.ids[:shortest] for row in rows])
    differs = torch.nonzero((heads != heads[0]).any(0)).flatten()
    return int(differs[0]) if differs.numel() else int(shortest)


def packed_tokens(rows: Sequence[Row], group: Sequence[int], shared: int) -> int:
    """How many tokens a group takes that shares ``shared`` of them."""
    return shared + sum(int(rows[i].ids.numel()) - shared for i in group)


def lay(rows: Sequence[Row], plan: Sequence[tuple[Sequence[int], int]]) -> Packed:
    """Lay the rows of ``plan`` into one sequence.

    Args:
        rows: in any order.
        plan: groups of indices and how many leading tokens each group shares; rows in none of them are left out.
    """
    offsets = [0]
    for row in rows:
        offsets.append(offsets[-1] + row.ids.numel())
    ids, positions, logits_at, labels, origin = [], [], [], [], []
    at = 0
    for group, shared in plan:
        for place, index in enumerate(group):
            row = rows[index]
            skip = shared if place else 0
            ids.append(row.ids[skip:])
            positions.append(row.positions[skip:])
            logits_at.append(row.wanted + (at - skip))
            labels.append(row.ids[row.wanted + 1])
            origin.append(row.wanted + offsets[index])
            at += row.ids.numel() - skip
    return Packed(*(torch.cat(part) for part in (ids, positions, logits_at, labels, origin)))


def bins(sizes: Sequence[int], limit: int) -> list[list[int]]:
    """First-fit-decreasing: indices of ``sizes`` in bins of at most ``limit`` (an item above it has its own bin)."""
    loads: list[int] = []
    contents: list[list[int]] = []
    for index in sorted(range(len(sizes)), key=lambda i: (-sizes[i], i)):
        fit = next((b for b, load in enumerate(loads) if load + sizes[index] <= limit), None)
        if fit is None:
            loads.append(sizes[index])
            contents.append([index])
        else:
            loads[fit] += sizes[index]
            contents[fit].append(index)
    return contents
