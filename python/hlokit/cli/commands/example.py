"""`hlokit example`: writes a shipped model with its inputs, and says what to type next."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote

import hlokit
from hlokit.cli.frame.flags import Values, one_of
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.streams.outputs import open_bytes
from hlokit.errors import ArgumentError
from hlokit.files.reading import reason

# The models, and what to try with each.
_MODELS = {
    "digits": (
        "a convolutional network that reads handwritten digits",
        (
            "hlokit info digits.mlirbc",
            "hlokit run digits.mlirbc digits.npz",
            "hlokit view digits.mlirbc digits.npz -o digits.html",
            "hlokit diff digits.mlirbc digits.npz --against=xla",
        ),
    ),
    "gpt": (
        "a small language model that writes text in a loop",
        ("hlokit info gpt.mlirbc", "hlokit run gpt.mlirbc gpt.npz", "hlokit shard gpt.mlirbc --help"),
    ),
    "train_step": (
        "a step of training: loss, gradients, Adam",
        (
            "hlokit run train_step.mlirbc train_step.npz",
            "hlokit record train_step.mlirbc train_step.npz -o step",
            "hlokit passes train_step.mlirbc train_step.npz --of=xla",
        ),
    ),
}


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", type=one_of(*_MODELS), help=", ".join(_MODELS))
    parser.add_argument("-o", metavar="FOLDER", default=".", help="where to write (default: here)")


def _write(values: Values) -> int:
    if values.name is None:
        width = max(map(len, _MODELS))
        lines = (f"{name:{width}}  {what}" for name, (what, _) in _MODELS.items())
        sys.stdout.write("\n".join([*lines, "", "hlokit example digits    writes one here"]) + "\n")
        return 0
    folder = Path(values.o)
    sources = sorted(_folder().glob(f"{values.name}[._]*"))
    if not sources:
        raise ArgumentError(f"example: this installation lacks its models: there is no '{_folder()}'")
    written = [folder / source.name for source in sources]
    try:
        for source, target in zip(sources, written, strict=True):
            if target.exists() and (not target.is_file() or target.read_bytes() != source.read_bytes()):
                raise ArgumentError(f"example: '{target}' is another file: write elsewhere, with -o FOLDER")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArgumentError(f"example: cannot write to '{folder}': {reason(error)}") from None
    for source, target in zip(sources, written, strict=True):
        with open_bytes(str(target)) as file:
            file.write(source.read_bytes())
    what, commands = _MODELS[values.name]
    where = "" if folder == Path() else f"cd {quote(values.o)}\n  "
    sys.stdout.write(f"{values.name}: {what}; wrote {', '.join(path.name for path in written)}\n\n")
    sys.stdout.write("Now try:\n  " + where + "\n  ".join(commands) + "\n")
    return 0


def _folder() -> Path:
    """The folder of the models: in the package, or in the checkout of an editable installation."""
    package = Path(hlokit.__file__).parent
    installed = package / "models"
    return installed if installed.is_dir() else package.parents[1] / "examples" / "models"


SUBCOMMAND = Subcommand(
    "example",
    "[NAME] [-o FOLDER]",
    "write a shipped model and its inputs, to try hlokit with",
    _add_arguments,
    _write,
)
