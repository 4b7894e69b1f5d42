"""The tree of the README: one clause a file, taken from each module's docstring; ``--write`` puts it there."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- tree: made by benchmarks/readme_tree.py -->", "<!-- end of tree -->"
TOPS = ("rewards", "livesim", "agents", "train_rl.py", "benchmarks")


def clause(path: Path) -> str:
    """The first sentence of a module's docstring, without its full stop."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.split("\n\n")[0].replace("\n", " ").replace("``", "").removesuffix(".")


def lines(path: Path, depth: int = 0) -> list[str]:
    """The tree below ``path``, folders first named, then their files, sorted."""
    pad = "  " * depth
    if path.is_file():
        return [f"{pad}{path.name:<{max(28 - 2 * depth, len(path.name) + 1)}}{clause(path)}"]
    face = path / "__init__.py"
    found = [f"{pad}{path.name + '/':<{28 - 2 * depth}}{clause(face) if face.exists() else ''}".rstrip()]
    for child in sorted(path.iterdir(), key=lambda p: (p.is_dir(), p.name)):
        if (child.suffix == ".py" and child.name != "__init__.py") or (child.is_dir() and any(child.rglob("*.py"))):
            found += lines(child, depth + 1)
    return found


def tree() -> str:
    """The whole block between the markers."""
    body = "\n".join(line for top in TOPS for line in lines(ROOT / top))
    return f"{BEGIN}\n```text\n{body}\n```\n{END}"


def main() -> None:
    """Print the tree, or write it into the README."""
    if "--write" not in sys.argv[1:]:
        print(tree())
        return
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    readme.write_text(before + tree() + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
