"""Artifacts of every version that ever was: read, written again byte by byte, and refused where they must be."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import hlokit
from hlokit.compat.encodings import OPERATIONS_SINCE
from hlokit.compat.info import inspect_file
from hlokit.compat.requirements import current_version, requirements
from hlokit.compat.versions import MINIMUM, NEWEST_KNOWN, opsets
from hlokit.errors import VersionError
from hlokit.mlir.bindings import stablehlo
from hlokit.mlir.portable import Version, parse_version

from ...vhlo.make import FOLDER, PROGRAM, functions, joined, versioned_operations

VERSIONS = [version for version in opsets(NEWEST_KNOWN) if version <= current_version()]
BINDINGS_OPERATIONS = {
    name
    for _, class_ in inspect.getmembers(stablehlo, inspect.isclass)
    if (name := getattr(class_, "OPERATION_NAME", "")).startswith("stablehlo.")
}


def fixture(kind: str, version: Version) -> Path:
    return FOLDER / f"{kind}.{str(version).replace('.', '_')}.mlir"


def files(kind: str) -> list[tuple[Version, Path]]:
    """Fixtures of a kind whose functions these bindings know."""
    found: list[tuple[Version, Path]] = []
    for path in sorted(FOLDER.glob(f"{kind}.*.mlir")):
        version = parse_version(path.name.split(".")[1].replace("_", "."))
        assert version is not None
        later = next(later for later in opsets(NEWEST_KNOWN) if later > version)
        if later <= current_version():
            found.append((version, path))
    return found


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_old_artifact_is_read_and_written_again(version: Version) -> None:
    path = fixture("stablehlo_legalize_to_vhlo", version)
    artifact = Path(f"{path}.bc").read_bytes()
    read = hlokit.load(artifact)
    assert read.serialize(str(version), strip_debug_info=True) == artifact
    source = hlokit.load(path)
    assert source.serialize(str(version), strip_debug_info=True) == artifact
    assert read.text() == source.text()


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_artifact_has_the_versions_of_operations(version: Version) -> None:
    path = fixture("stablehlo_legalize_to_vhlo", version)
    found = versioned_operations(Path(f"{path}.bc").read_bytes())
    text = path.read_text()
    expected: dict[str, list[str]] = {}
    for label, name in re.findall(
        r'// CHECK-LABEL: sym_name = #vhlo.string_v1<"(\w+)">|// CHECK: "([\w.]+)"', text
    ):
        if label:
            expected[label] = []
        else:
            expected[list(expected)[-1]].append(name)
    assert found == expected


def test_names_came_when_the_table_says() -> None:
    first: dict[str, Version] = {}
    for version in opsets(NEWEST_KNOWN):
        info = inspect_file(f"{fixture('stablehlo_legalize_to_vhlo', version)}.bc")
        assert info is not None and info.version == version
        assert info.as_written is not None and info.as_written <= version
        for name in info.operations:
            first.setdefault(name, version)
    since = {f"vhlo.{name}": version for name, version in OPERATIONS_SINCE.items()}
    assert {name: version for name, version in first.items() if version > MINIMUM} == since


def test_every_operation_is_in_the_program() -> None:
    text = (FOLDER / PROGRAM).read_text()
    assert not {name for name in BINDINGS_OPERATIONS if not re.search(rf"\b{re.escape(name)}\b", text)}


@pytest.mark.parametrize(("version", "path"), files("vhlo_to_version_downgrade"), ids=str)
def test_downgrade(version: Version, path: Path) -> None:
    program = hlokit.load(path)
    older = program.serialize(str(version))
    later = next(later for later in opsets(NEWEST_KNOWN) if later > version)
    names, newer_names = versioned_operations(older), versioned_operations(program.serialize(str(later)))
    checked = re.findall(r"// CHECK: @(\w+)\(", path.read_text())
    assert checked
    for name in checked:
        assert names[name] != newer_names[name]
    assert hlokit.load(older).text() == program.text()


@pytest.mark.parametrize(("version", "path"), files("vhlo_to_version_downgrade_invalid"), ids=str)
def test_refused(version: Version, path: Path) -> None:
    program = functions()
    text = path.read_text()
    later = next(later for later in opsets(NEWEST_KNOWN) if later > version)
    refused = re.findall(r"((?:// needs: .*\n)+)func\.func (?:private )?@(\w+)", text)
    assert refused
    for needs, name in refused:
        module = hlokit.load(joined([name], program))
        with pytest.raises(VersionError):
            module.serialize(str(version))
        module.serialize(str(later))
        messages = dict.fromkeys(str(item) for item in requirements(module.module))
        assert sorted(messages) == sorted(re.findall(r"// needs: (.*)", needs))


def test_there_is_a_fixture_for_every_version() -> None:
    names = {path.name for path in FOLDER.glob("*.bc")}
    assert names == {
        f"{fixture('stablehlo_legalize_to_vhlo', version).name}.bc" for version in opsets(NEWEST_KNOWN)
    }
