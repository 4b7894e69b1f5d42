"""A checkpoint's weights as a model folder that vLLM, an evaluation and the next stage can load."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from pathlib import Path

from livesim.errors import TrainingError

OUTPUT_LAYER = "lm_head.weight"

_WITH_WEIGHTS = (".safetensors", ".bin", ".pt", ".gguf")


def export(checkpoints: Path, source: Path, out: Path) -> Path:
    """Write ``out`` from the newest checkpoint: weights in bf16, everything else from ``source``.

    The tokenizer, template and configs of ``source`` are copied as they are, so that the repaired end token stays. So
    are the weights of parts that were never loaded for training, as the layers that predict several tokens (``mtp``)
    of a model of which only the main part is trained.

    Args:
        checkpoints: folder with ``global_step_N``.
        source: the model folder that the stage started from.
        out: the new folder; replaced when it is there.

    Raises:
        TrainingError: no checkpoint holds a model in Hugging Face form, or its tensors are not those of ``source``.
    """
    import torch
    from safetensors import safe_open
    from safetensors.torch import load_file, save_file

    found = newest(checkpoints)
    if found is None:
        raise TrainingError(f"no checkpoint with a model in {checkpoints}")
    weights: dict[str, torch.Tensor] = {}
    for file in sorted(found.glob("*.safetensors")):
        weights |= {name: tensor.to(torch.bfloat16) for name, tensor in load_file(file).items()}
    before: dict[str, Path] = {}
    for file in sorted(source.glob("*.safetensors")):
        with safe_open(file, "pt") as old:
            before |= dict.fromkeys(old.keys(), file)
    for name in untrained(set(weights), set(before), f"{found} and {source}", tied=_tied(source)):
        with safe_open(before[name], "pt") as old:
            weights[name] = old.get_tensor(name)
    making = out.with_name(out.name + ".part")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    for file in source.iterdir():
        if file.is_file() and file.suffix not in _WITH_WEIGHTS and not file.name.endswith(".index.json"):
            shutil.copy(file, making)
    save_file(weights, making / "model.safetensors", metadata={"format": "pt"})
    shutil.rmtree(out, ignore_errors=True)
    making.rename(out)
    return out


def untrained(trained: set[str], before: set[str], where: str, *, tied: bool = False) -> list[str]:
    """Names of the tensors to carry over: those of whole parts that the trained model does not have.

    A part is what the first two words of a name say (``mtp.layers``, ``model.visual``), so that a checkpoint that
    lacks some layers of a part is not patched up with old ones.

    Args:
        trained: names in the checkpoint.
        before: names in the folder that the stage started from.
        where: both, for the error.
        tied: the output layer is the embedding: an old copy of it is left out.

    Raises:
        TrainingError: the checkpoint has a tensor more, or lacks some of a part.
    """
    parts = {_part(name) for name in (*trained, OUTPUT_LAYER)}
    missing = before - trained - ({OUTPUT_LAYER} if tied else set())
    odd = sorted((trained - before) | {name for name in missing if _part(name) in parts})
    if odd:
        raise TrainingError(f"{where} hold different tensors, e.g. {odd[:3]}")
    return sorted(missing)


def _part(name: str) -> tuple[str, ...]:
    return tuple(name.split(".")[:2])


def _tied(model: Path) -> bool:
    try:
        return bool(json.loads((model / "config.json").read_text(encoding="utf-8")).get("tie_word_embeddings"))
    except (OSError, ValueError):
        return False


def newest(checkpoints: Path) -> Path | None:
    """The ``huggingface`` folder of the last step that holds weights, or None."""
    steps = sorted(checkpoints.glob("global_step_*"), key=_step, reverse=True)
    for step in steps:
        for folder in (step / "huggingface", step / "actor" / "huggingface"):
            if any(folder.glob("*.safetensors")):
                return folder
    return None


def resumable(checkpoints: Path) -> int:
    """The newest step that was saved whole; 0 without any."""
    return max((_step(folder) for folder in checkpoints.glob("global_step_*") if _whole(folder)), default=0)


def settle(checkpoints: Path) -> int:
    """Keep the checkpoint that ``resumable`` names alone, point verl to it, and return its step.

    Called after every save and before a run goes on, so that kill -9 at any time leaves one whole checkpoint. verl's
    own rotation does not: it deletes the old one before the new one counts, and forgets those of earlier runs.
    """
    last = resumable(checkpoints)
    tracker = checkpoints / "latest_checkpointed_iteration.txt"
    if last:
        part = tracker.with_suffix(".part")
        part.write_text(str(last), encoding="utf-8")
        os.replace(part, tracker)
    else:
        tracker.unlink(missing_ok=True)
    for folder in checkpoints.glob("global_step_*"):
        if _step(folder) != last:
            shutil.rmtree(folder)
    return last


def _step(folder: Path) -> int:
    return int(folder.name.rpartition("_")[2])


def _whole(folder: Path) -> bool:
    """The state of the data loader (of RL, or of every rank of SFT) is what verl writes last.

    A checkpoint that is only to be exported has no state of ranks; its model is there when the first one is done.
    """
    ranks = max(1, len([*folder.glob("model_world_size_*_rank_*.pt")]))
    return zipfile.is_zipfile(folder / "data.pt") or all(
        zipfile.is_zipfile(folder / f"data_{rank}.pt") for rank in range(ranks)
    )


def note(folder: Path, data: dict[str, object]) -> None:
    """Write ``stage.json``: what was run, and that it is done."""
    part = folder / "stage.json.part"
    part.write_text(json.dumps(data, indent=2, default=str) + "\n", encoding="utf-8")
    part.rename(folder / "stage.json")
