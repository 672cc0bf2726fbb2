"""Makes the versioned fixtures from stablehlo_legalize_to_vhlo.mlir, with the newest bindings there are.

    python -m tests.vhlo.make          # prints how the files differ from what would be made
    python -m tests.vhlo.make --write  # writes them

For each version: what of the program it can hold, as text and as an artifact; what is converted to an older
form on the way to it; and what came right after it, which it must refuse. Which functions these are is
found by trying. Artifacts that exist are what older releases wrote, so a difference there breaks a promise:
never write over one to make a test pass.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import hlokit
from hlokit.compat.requirements import lowest_version, requirements
from hlokit.compat.versions import NEWEST_KNOWN, opsets
from hlokit.mlir.bindings import ir
from hlokit.mlir.context import make_context
from hlokit.mlir.portable import Version

FOLDER = Path(__file__).parent
PROGRAM = "stablehlo_legalize_to_vhlo.mlir"
# What other functions call.
SHARED = "declared"
_NAME = re.compile(r"@(\w+)")
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
        if changed:
            yield _downgrade(version, changed, program)
        new = [name for name in program if since[name] == later]
        if new:
            yield _refused(version, new, program)


def _round_trip(
    version: Version, program: dict[str, str], artifact: bytes, operations: dict[str, list[str]]
) -> Iterator[tuple[str, bytes]]:
    name = f"stablehlo_legalize_to_vhlo.{str(version).replace('.', '_')}.mlir"
    text = header(
        version,
        f"RUN: stablehlo-translate --serialize --target={version} --strip-debuginfo %s -o %t",
        "RUN: diff %s.bc %t",
    )
    for function, names in operations.items():
        checks = "".join(f'// CHECK: "{operation}"\n' for operation in names)
        text += f'// CHECK-LABEL: sym_name = #vhlo.string_v1<"{function}">\n{checks}{program[function]}\n'
    yield name, text.rstrip("\n").encode() + b"\n"
    yield f"{name}.bc", artifact


def _downgrade(version: Version, changed: list[str], program: dict[str, str]) -> tuple[str, bytes]:
    text = header(
        version,
        f"RUN: stablehlo-translate --serialize --target={version} --strip-debuginfo %s -o %t",
        "RUN: stablehlo-translate --deserialize %t | FileCheck %s",
    )
    parts = [f"// CHECK: @{name}({chr(10)}{program[name]}" for name in changed]
    if any(f"@{SHARED}" in program[name] for name in changed) and SHARED not in changed:
        parts.append(program[SHARED])
    name = f"vhlo_to_version_downgrade.{str(version).replace('.', '_')}.mlir"
    return name, (text + "\n".join(parts)).encode()


def _refused(version: Version, new: list[str], program: dict[str, str]) -> tuple[str, bytes]:
    text = header(
        next(later for later in opsets(NEWEST_KNOWN) if later > version),
        f"RUN: not stablehlo-translate --serialize --target={version} %s -o %t 2>&1 | FileCheck %s",
        f"CHECK: error: the program cannot be written for {version}",
    )
    parts: list[str] = []
    needed = requirements(hlokit.load(joined(new, program)).module)
    for name in new:
        alone = {str(item) for item in requirements(hlokit.load(joined([name], program)).module)}
        # Messages come in program order, so these do as well.
        messages = dict.fromkeys(str(item) for item in needed if str(item) in alone)
        parts.append("".join(f"// needs: {message}\n" for message in messages) + program[name])
    if any(f"@{SHARED}" in program[name] for name in new):
        parts.append(program[SHARED])
    name = f"vhlo_to_version_downgrade_invalid.{str(version).replace('.', '_')}.mlir"
    return name, (text + "\n".join(parts)).encode()


def main() -> int:
    """Print or write; 1 if anything differs."""
    differs = False
    made = dict(files())
    existing = {path.name for path in FOLDER.glob("*.mlir*")} - {PROGRAM}
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
