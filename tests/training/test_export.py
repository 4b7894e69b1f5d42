"""What an exported model holds: trained tensors, and untouched those of parts that were never trained."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
safetensors = pytest.importorskip("safetensors.torch")

from livesim.errors import TrainingError  # noqa: E402
from livesim.training.export import OUTPUT_LAYER, export  # noqa: E402

TRUNK = ("model.embed_tokens.weight", "model.layers.0.mlp.experts.gate_up_proj", "model.layers.1.norm.weight")
NEVER_LOADED = ("mtp.fc.weight", "mtp.layers.0.norm.weight", "model.visual.patch.weight")


def model(folder: Path, files: dict[str, dict[str, float]], *, tied: bool = False) -> Path:
    folder.mkdir(parents=True)
    for file, tensors in files.items():
        filled = {name: torch.full((2, 3), value, dtype=torch.bfloat16) for name, value in tensors.items()}
        safetensors.save_file(filled, folder / file)
    (folder / "config.json").write_text(json.dumps({"tie_word_embeddings": tied}))
    (folder / "model.safetensors.index.json").write_text("{}")
    return folder


def trained(root: Path, names: tuple[str, ...]) -> Path:
    folder = root / "checkpoints" / "global_step_4" / "actor" / "huggingface"
    folder.mkdir(parents=True)
    safetensors.save_file({name: torch.full((2, 3), 1.5) for name in names}, folder / "model.safetensors")
    return root / "checkpoints"


def test_parts_that_were_never_loaded_come_from_the_source_as_they_are(tmp_path: Path) -> None:
    source = model(
        tmp_path / "source",
        {
            "model-1-of-2.safetensors": dict.fromkeys(TRUNK, 0.0),
            "model-2-of-2.safetensors": {**dict.fromkeys(NEVER_LOADED, 0.25)},
        },
    )
    out = export(trained(tmp_path, TRUNK), source, tmp_path / "out")
    found = safetensors.load_file(out / "model.safetensors")
    assert {name: tensor[0, 0].item() for name, tensor in found.items()} == {
        **dict.fromkeys(TRUNK, 1.5),
        **dict.fromkeys(NEVER_LOADED, 0.25),
    }
    assert {tensor.dtype for tensor in found.values()} == {torch.bfloat16}
    assert not list(out.glob("*.index.json"))  # it would name files that are not there


@pytest.mark.parametrize(
    ("names", "odd"),
    [
        (TRUNK[:2], "model.layers.1.norm.weight"),  # half of the layers
        ((*TRUNK, "model.layers.0.mlp.experts.3.up_proj"), "model.layers.0.mlp.experts.3.up_proj"),  # another layout
    ],
)
def test_a_checkpoint_that_lacks_some_of_a_part_or_has_more_is_refused(
    tmp_path: Path, names: tuple[str, ...], odd: str
) -> None:
    source = model(tmp_path / "source", {"model.safetensors": dict.fromkeys((*TRUNK, *NEVER_LOADED), 0.0)})
    with pytest.raises(TrainingError, match=rf"hold different tensors, e\.g\. \['{odd}'\]"):
        export(trained(tmp_path, names), source, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_old_output_layer_is_never_carried_over(tmp_path: Path) -> None:
    held = {"model.safetensors": dict.fromkeys((*TRUNK, OUTPUT_LAYER), 0.0)}
    checkpoints = trained(tmp_path, TRUNK)
    out = export(checkpoints, model(tmp_path / "tied", held, tied=True), tmp_path / "out")
    assert set(safetensors.load_file(out / "model.safetensors")) == set(TRUNK)
    with pytest.raises(TrainingError, match=r"hold different tensors, e\.g\. \['lm_head\.weight'\]"):
        export(checkpoints, model(tmp_path / "apart", held), tmp_path / "out")
