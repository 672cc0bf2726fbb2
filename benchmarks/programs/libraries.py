"""Programs of JAX libraries, exported once by benchmarks/libraries."""

from __future__ import annotations

import json

from benchmarks.case import LIBRARY, Program, case
from benchmarks.libraries import ARTIFACTS, FOLDER
from benchmarks.libraries.arguments import read

FAMILY = "libraries"


def _add(file: str, name: str, *, is_quick: bool) -> None:
    @case(name, FAMILY, LIBRARY, reference=False, is_quick=is_quick, is_model=False)
    def build() -> Program:
        artifact = (ARTIFACTS / f"{file}.mlir.bc").read_bytes()
        return Program(artifact, read(ARTIFACTS / f"{file}.zip"))

    del build


for _file, _row in json.loads((FOLDER / "index.json").read_text()).items():
    _add(_file, f"{_row['library'].split()[0]}: {_row['title']}", is_quick=_file == "ode/tsit5")
