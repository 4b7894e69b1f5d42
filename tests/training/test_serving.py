"""The serving configurations are read by vLLM's own parser, down to the engine's arguments."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "configs/h20/serving").glob("*.yaml"))
TRAINED = {config["name"] for config in (yaml.safe_load(p.read_text()) for p in (ROOT / "configs/h20").glob("*.yaml"))}


def test_every_model_that_is_trained_without_thinking_can_be_served() -> None:
    served = {Path(yaml.safe_load(path.read_text())["model"]).parts[1] for path in FILES}
    assert served == {name for name in TRAINED if "thinking" not in name}


@pytest.fixture(scope="module")
def parser():
    pytest.importorskip("vllm")
    from vllm.entrypoints.launchers.cli_args import make_arg_parser
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    return make_arg_parser(FlexibleArgumentParser())


@pytest.mark.train
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_vllm_reads_every_key_of_a_serving_config(path: Path, parser) -> None:
    from vllm.engine.arg_utils import AsyncEngineArgs

    config = yaml.safe_load(path.read_text())
    assert {f"--{key}" for key in config} <= parser._option_string_actions.keys()
    arguments = AsyncEngineArgs.from_cli_args(parser.parse_args(["--config", str(path)]))
    for key, value in config.items():
        found = getattr(arguments, key.replace("-", "_"), value)
        assert found == ([value] if key == "served-model-name" else value), key
    devices = arguments.tensor_parallel_size * arguments.data_parallel_size
    assert devices == int(path.stem.rpartition("_")[2].removesuffix("gpu"))
