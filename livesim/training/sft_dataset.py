"""The dataset class that verl's SFT trainer loads: rows that are token ids already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import torch
from torch.utils.data import Dataset

COLUMNS = ("input_ids", "loss_mask", "position_ids")


class TokenDataset(Dataset[Mapping[str, torch.Tensor]]):  # type: ignore[misc]
    """Rows of a parquet file with the columns ``input_ids``, ``loss_mask`` and ``position_ids`` (lists of ints).

    The signature is verl's (``data.custom_cls``); only the file names are used.
    """

    def __init__(
        self,
        parquet_files: str | Sequence[str],
        tokenizer: object = None,
        config: object = None,
        processor: object = None,
        max_samples: int = -1,
    ) -> None:
        files = [parquet_files] if isinstance(parquet_files, str) else list(parquet_files)
        frame = pd.concat([pd.read_parquet(file, columns=list(COLUMNS)) for file in files], ignore_index=True)
        self.rows: list[dict[str, Any]] = frame.iloc[: max_samples if max_samples >= 0 else None].to_dict("records")

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> Mapping[str, torch.Tensor]:
        return {name: torch.tensor(self.rows[index][name], dtype=torch.int64) for name in COLUMNS}
