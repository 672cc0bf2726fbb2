"""Builds an extension with a mistake in one file of lib/, by the commands and with the objects of the installed build."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.mutation.mutant import ROOT, Mutant

LIBRARY = ROOT / "lib"
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")


class NoBuildError(Exception):
    """There is no build to start from."""


class BuildFailedError(Exception):
    """A file does not compile with its mistake, or the compiler lacks something."""


def build(mutant: Mutant, folder: Path) -> dict[str, str]:
    """Compile the pieces that have the mutant's file, and link the extension: name of the module -> file."""
    for extension in _build_folder().glob(f"*{SUFFIX}"):
        *compilations, link = _commands(extension)
        headers = folder / "include"
        source = headers / mutant.path.relative_to(LIBRARY)
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(mutant.mutated())
        changed = {}
        for number, command in enumerate(compilations):
            piece = _piece(command, mutant.path, source, folder / f"piece{number}.cpp")
            if piece is not None:
                built, old = folder / f"piece{number}.o", _argument(command, "-o")
                arguments = {"-o": built, "-c": piece, "-MF": folder / "piece.d"}
                words = _with_arguments(command, arguments).replace(" -I", f" -I{headers} -I", 1)
                _run(f"{words} -w")  # a mistake may leave a variable unused
                changed[old] = built
        if changed:
            result = folder / extension.name
            linked = _with_arguments(link, {"-o": result}).split(" ")
            _run(" ".join([str(changed.get(word, word)) for word in linked]))
            return {f"hlokit.{extension.name.removesuffix(SUFFIX)}": str(result)}
    raise NoBuildError(f"{mutant.name}: no extension is built from {mutant.place}")


def _build_folder() -> Path:
    """The folder in which `make` has built the extensions for this version of Python."""
    if shutil.which("ninja") is None:
        raise NoBuildError("mutants of lib/ need the command ninja")
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    folders = list((ROOT / "build").glob(f"{version}-*/build.ninja"))
    if len(folders) != 1:
        raise NoBuildError(f"mutants of lib/ need one build for {version}, got {len(folders)}: run make test")
    return folders[0].parent


def _commands(extension: Path) -> list[str]:
    """The commands that build an extension, the link last."""
    return _run(f"ninja -t commands {extension.name}").splitlines()


def _piece(command: str, original: Path, mutated: Path, file: Path) -> Path | None:
    """What a command should compile instead; None if it does not compile or include the original file.

    Args:
      file: where the list of the files of a piece is written, if there are several.
    """
    if "-c" not in command.split(" "):
        return None
    compiled = Path(_argument(command, "-c"))
    if original.suffix == ".h":
        includes = _run(f"ninja -t deps {_argument(command, '-o')}").split()
        return compiled if str(original) in includes else None
    if compiled == original:
        return mutated
    text = compiled.read_text() if "Unity" in compiled.parts else ""
    if f'"{original}"' not in text:
        return None
    file.write_text(text.replace(f'"{original}"', f'"{mutated}"'))
    return file


def _argument(command: str, flag: str) -> str:
    words = command.split(" ")
    return words[words.index(flag) + 1]


def _with_arguments(command: str, arguments: dict[str, Path]) -> str:
    """The command with other arguments of some flags."""
    for flag, argument in arguments.items():
        command = re.sub(rf"(?<= {flag} )\S+", str(argument), command)
    return command


def _run(command: str) -> str:
    process = subprocess.run(
        command, shell=True, cwd=_build_folder(), capture_output=True, text=True, check=False
    )
    if process.returncode:
        raise BuildFailedError(f"{command}:\n{process.stdout}{process.stderr}")
    return process.stdout
