"""Makes the versioned fixtures from stablehlo_legalize_to_vhlo.mlir, with the newest bindings there are.

    python -m tests.vhlo.make          # prints how the files differ from what would be made
    python -m tests.vhlo.make --write  # writes them

The fixtures of a version: the functions that it can hold, as text and as an artifact; the functions with operations
that it introduced, or that are converted to an older form for it; and the functions with operations of the next
version, which it must refuse. Trial conversions find these functions. Existing artifacts are the output of older
releases, so a difference there breaks a promise: never overwrite an artifact to make a test pass.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from textwrap import indent

import pytest

import hlokit
from hlokit.compat.requirements import current_version, lowest_version, requirements
from hlokit.compat.versions import NEWEST_KNOWN, opsets
from hlokit.errors import PassError
from hlokit.mlir.portable import Version
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.passes.pipeline import run_pipeline, stage_of

FOLDER = Path(__file__).parent
PROGRAM = "stablehlo_legalize_to_vhlo.mlir"
# A function that other functions call.
SHARED = "declared"
# A feature of every version: used for versions without new features.
UNCHANGED = "type_f32"
_NAME = re.compile(r"@(\w+)")
_ILLEGAL = re.compile(r"failed to legalize operation 'vhlo\.(\w+)_v\d+'")
# The oldest bindings know versions up to this one.
_EVERYWHERE = Version(1, 17)


def functions() -> dict[str, str]:
    """The functions of the program by name."""
    parts = re.split(r"\n(?=func\.func )", (FOLDER / PROGRAM).read_text())
    texts = [part.strip() + "\n" for part in parts[1:]]
    return {_NAME.findall(text)[0]: text for text in texts}


def joined(chosen: list[str], program: dict[str, str]) -> str:
    """A program of these functions, and what they call."""
    names = dict.fromkeys(
        [*chosen, *([SHARED] if any(f"@{SHARED}" in program[name] for name in chosen) else [])]
    )
    return "\n".join(program[name] for name in names)


def lowest(name: str, program: dict[str, str]) -> Version:
    version = lowest_version(requirements(hlokit.load(joined([name], program)).module))
    assert version is not None, name
    return version


def versioned_operations(artifact: bytes) -> dict[str, list[str]]:
    """Names of the operations of VHLO in each function of an artifact, in the order of printing."""
    with make_context():
        asm = ir.Module.parse(artifact).operation.get_asm(print_generic_op_form=True)
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in asm.splitlines():
        if "vhlo.func_v1" in line:
            match = re.search(r'sym_name = #vhlo\.string_v1<"(\w+)">', line)
            assert match is not None, line
            names = found.setdefault(match[1], [])
            continue
        names += re.findall(r'"(vhlo\.\w+)"\(', line)
    return found


def header(version: Version, *lines: str) -> str:
    requires = [] if version <= _EVERYWHERE else [f"REQUIRES: stablehlo-{version}"]
    return "".join(f"// {line}\n" for line in (*requires, *lines)) + "\n"


def files() -> Iterator[tuple[str, bytes]]:
    """Names and contents of all fixtures."""
    program = functions()
    since = {name: lowest(name, program) for name in program}
    versions = opsets(NEWEST_KNOWN)
    artifacts = {
        version: hlokit.load(joined([name for name in program if since[name] <= version], program)).serialize(
            str(version), strip_debug_info=True
        )
        for version in versions
    }
    operations = {version: versioned_operations(artifact) for version, artifact in artifacts.items()}
    for version in versions:
        yield from _round_trip(version, program, artifacts[version], operations[version])
    for version, later in pairwise(versions):
        changed = [
            name for name in operations[version] if operations[version][name] != operations[later][name]
        ]
        came = [name for name in program if since[name] == version and version > versions[0]]
        yield _downgrade(version, list(dict.fromkeys([*changed, *came])) or [UNCHANGED], program, operations)
        new = [name for name in program if since[name] == later]
        if new:
            yield _refused(version, new, program)


def _round_trip(
    version: Version, program: dict[str, str], artifact: bytes, operations: dict[str, list[str]]
) -> Iterator[tuple[str, bytes]]:
    name = f"stablehlo_legalize_to_vhlo.{_in_file_name(version)}.mlir"
    serialize = f"stablehlo-translate --serialize --target={version}"
    text = header(
        version,
        "RUN: stablehlo-opt --mlir-print-op-generic %s.bc | FileCheck %s",
        f"RUN: stablehlo-translate --deserialize %s.bc | {serialize} | stablehlo-opt --mlir-print-op-generic | FileCheck %s",
        "RUN: stablehlo-translate --deserialize %s.bc | stablehlo-opt > %t.0",
        "RUN: stablehlo-opt --strip-debuginfo %s > %t.1",
        "RUN: diff %t.0 %t.1",
        f"RUN: {serialize} --strip-debuginfo %s > %t.2",
        "RUN: diff %s.bc %t.2",
    )
    for function, names in operations.items():
        text += _checked(function, names, program[function]) + "\n"
    yield name, text.rstrip("\n").encode() + b"\n"
    yield f"{name}.bc", artifact


def _checked(function: str, operations: list[str], text: str) -> str:
    """A function with what its generic form in VHLO has."""
    checks = "".join(f'// CHECK: "{operation}"\n' for operation in operations)
    return f'// CHECK-LABEL: sym_name = #vhlo.string_v1<"{function}">\n{checks}{text}'


def _downgrade(
    version: Version,
    names: list[str],
    program: dict[str, str],
    operations: dict[Version, dict[str, list[str]]],
) -> tuple[str, bytes]:
    """Operations that changed after this version, and operations that it introduced, written for it."""
    convert = f"stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target={version}'"
    text = header(
        version,
        # In its own form, VHLO prints no arguments of functions without a body.
        f"RUN: {convert} --mlir-print-op-generic %s > %t.vhlo",
        "RUN: FileCheck %s --input-file=%t.vhlo",
        "RUN: stablehlo-opt --pass-pipeline='builtin.module(stablehlo-deserialize)' %t.vhlo > %t.0",
        "RUN: stablehlo-opt %s > %t.1",
        "RUN: diff %t.0 %t.1",
    )
    parts = [_checked(name, operations[version][name], program[name]) for name in names]
    if any(f"@{SHARED}" in program[name] for name in names) and SHARED not in names:
        parts.append(program[SHARED])
    return f"vhlo_to_version_downgrade.{_in_file_name(version)}.mlir", (text + "\n".join(parts)).encode()


def _refused(version: Version, new: list[str], program: dict[str, str]) -> tuple[str, bytes]:
    """Operations that the next version introduced, each function in a separate module."""
    convert = f"stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target={version}'"
    text = header(
        next(later for later in opsets(NEWEST_KNOWN) if later > version),
        f"RUN: {convert} --split-input-file --verify-diagnostics %s",
    )
    parts = [_refused_module(version, name, program) for name in new]
    name = f"vhlo_to_version_downgrade_invalid.{_in_file_name(version)}.mlir"
    return name, (text + "\n// -----\n\n".join(parts)).encode()


def _refused_module(version: Version, name: str, program: dict[str, str]) -> str:
    source = f"module {{\n{indent(joined([name], program), '  ')}}}\n"
    messages = dict.fromkeys(str(item) for item in requirements(hlokit.load(source).module))
    needs = "".join(f"// needs: {message}\n" for message in messages)
    line, operation = _first_illegal(source, version)
    expected = f"expected-error@+1 {{{{failed to legalize operation 'vhlo.{operation}_v}}}}"
    lines = source.split("\n")
    margin = " " * (len(lines[line - 1]) - len(lines[line - 1].lstrip()))
    lines.insert(line - 1, f"{margin}// {expected}")
    return f"{needs}// expected-error@+1 {{{{failed to convert VHLO to v{version}}}}}\n" + "\n".join(lines)


def _first_illegal(source: str, version: Version) -> tuple[int, str]:
    """Line and name of the operation at which the conversion to a version stops."""
    module = hlokit.load(source).module
    with pytest.raises(PassError) as caught:
        run_pipeline(
            module,
            [
                stage_of("stablehlo-legalize-to-vhlo", ""),
                stage_of("vhlo-to-version", f"target={version}"),
            ],
        )
    first = caught.value.diagnostics[0]
    match = _ILLEGAL.match(first.message)
    assert match is not None, first
    return first.line, match[1]


def _in_file_name(version: Version) -> str:
    return str(version).replace(".", "_")


def main() -> int:
    """Print or write; 1 if anything differs."""
    if current_version() < NEWEST_KNOWN:
        print(
            f"needs bindings with StableHLO {NEWEST_KNOWN}, these have {current_version()}", file=sys.stderr
        )
        return 2
    differs = False
    made = dict(files())
    existing = {path.name for path in FOLDER.glob("*.[0-9]*_*.mlir*")}
    for name in sorted(existing | made.keys()):
        path = FOLDER / name
        old, new = path.read_bytes() if path.exists() else b"", made.get(name, b"")
        if old == new:
            continue
        differs = True
        if name.endswith(".bc"):
            print(f"{name}: {len(old)} bytes, would be {len(new)} others")
        else:
            lines = (text.decode().splitlines(keepends=True) for text in (old, new))
            sys.stdout.writelines(difflib.unified_diff(*lines, f"a/{name}", f"b/{name}"))
        if "--write" in sys.argv:
            path.write_bytes(new)
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
