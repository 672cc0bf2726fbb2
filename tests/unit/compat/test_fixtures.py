"""Artifacts of every version: read, written again with the same bytes, and rejected where required."""

from __future__ import annotations

import inspect
import re
from itertools import pairwise
from pathlib import Path

import pytest

import hlokit
from hlokit.compat.encodings import OPERATIONS_SINCE
from hlokit.compat.info import inspect_file
from hlokit.compat.requirements import current_version, requirements
from hlokit.compat.versions import MINIMUM, NEWEST_KNOWN, opsets
from hlokit.errors import VersionError
from hlokit.mlir.portable import Version, parse_version
from hlokit.mlir.provider.bindings import stablehlo_operations
from hlokit.mlir.text.split import split_input

from ...vhlo import make
from ...vhlo.make import FOLDER, PROGRAM, SHARED, UNCHANGED, versioned_operations

VERSIONS = [version for version in opsets(NEWEST_KNOWN) if version <= current_version()]
BINDINGS_OPERATIONS = {
    name
    for _, class_ in inspect.getmembers(stablehlo_operations(), inspect.isclass)
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


def expected_operations(path: Path) -> dict[str, list[str]]:
    """The operations of VHLO that a fixture's checks name, by function."""
    expected: dict[str, list[str]] = {}
    for label, name in re.findall(
        r'// CHECK-LABEL: sym_name = #vhlo.string_v1<"(\w+)">|// CHECK: "([\w.]+)"', path.read_text()
    ):
        if label:
            expected[label] = []
        else:
            expected[list(expected)[-1]].append(name)
    return expected


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
    assert found == expected_operations(path)


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
    found = versioned_operations(older)
    checked = expected_operations(path)
    assert checked
    assert {name: found[name] for name in checked} == checked
    assert hlokit.load(older).text() == program.text()


def test_operations_that_a_version_introduced_or_changed_are_shown() -> None:
    """All operations that have another form in the next version, or that the version before lacks."""
    versions = opsets(NEWEST_KNOWN)
    held = {
        version: expected_operations(fixture("stablehlo_legalize_to_vhlo", version)) for version in versions
    }
    for version, later in pairwise(versions):
        shown = set(expected_operations(fixture("vhlo_to_version_downgrade", version)))
        changed = {name for name in held[version] if held[version][name] != held[later][name]}
        came = held[version].keys() - held[versions[max(versions.index(version) - 1, 0)]].keys()
        assert shown == (changed | came or {UNCHANGED})


@pytest.mark.parametrize(("version", "path"), files("vhlo_to_version_downgrade_invalid"), ids=str)
def test_refused(version: Version, path: Path) -> None:
    later = next(later for later in opsets(NEWEST_KNOWN) if later > version)
    for text in split_input(path.read_text()):
        module = hlokit.load(text)
        with pytest.raises(VersionError):
            module.serialize(str(version))
        module.serialize(str(later))
        messages = dict.fromkeys(str(item) for item in requirements(module.module))
        assert messages
        assert sorted(messages) == sorted(re.findall(r"// needs: (.*)", text))


def test_all_that_is_new_in_a_version_is_refused_before() -> None:
    for version, later in pairwise(opsets(NEWEST_KNOWN)):
        path = fixture("vhlo_to_version_downgrade_invalid", version)
        before, after = (
            set(expected_operations(fixture("stablehlo_legalize_to_vhlo", each))) for each in (version, later)
        )
        refused = (
            set(re.findall(r"func\.func (?:private )?@(\w+)\(", path.read_text()))
            if path.exists()
            else set[str]()
        )
        assert refused - {SHARED} == after - before


def test_there_is_a_fixture_for_every_version() -> None:
    names = {path.name for path in FOLDER.glob("*.bc")}
    assert names == {
        f"{fixture('stablehlo_legalize_to_vhlo', version).name}.bc" for version in opsets(NEWEST_KNOWN)
    }


@pytest.mark.skipif(current_version() < NEWEST_KNOWN, reason=f"needs StableHLO {NEWEST_KNOWN}")
def test_the_command_would_make_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert make.main() == 0, capsys.readouterr().out
    assert capsys.readouterr().out == ""
