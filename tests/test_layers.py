"""The layer contracts of setup.cfg hold, and importing the environment stays light."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = ("torch", "verl", "ray", "vllm", "transformers", "matplotlib", "pandas", "typer", "rich")


def test_layer_contracts_hold():
    command = [str(Path(sys.executable).with_name("lint-imports")), "setup.cfg", "--no-cache"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
    assert "0 broken" in run.stdout


def test_import_is_fast_and_loads_nothing_heavy():
    code = (
        "import sys, time; start = time.process_time(); import livesim; took = time.process_time() - start;"
        f"print(took, *[m for m in {HEAVY!r} if m in sys.modules])"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(3)
    ]
    assert [loaded for _, *loaded in runs] == [[], [], []]
    assert min(float(took) for took, *_ in runs) < 0.5


def test_every_module_says_what_it_is_in_its_first_line():
    bare = []
    for top in ("rewards", "livesim", "agents", "benchmarks"):
        for path in sorted((ROOT / top).rglob("*.py")):
            if path.name != "__init__.py" and not path.read_text(encoding="utf-8").startswith('"""'):
                bare.append(str(path.relative_to(ROOT)))
    assert bare == []


@pytest.mark.parametrize("top", ["rewards", "livesim", "agents", "benchmarks"])
def test_no_file_grows_over_400_lines(top):
    long = {
        str(p.relative_to(ROOT)): n
        for p in (ROOT / top).rglob("*.py")
        if (n := len(p.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}
