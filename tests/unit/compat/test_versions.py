"""The tables of versions agree with the bindings."""

from __future__ import annotations

import pytest

from hlokit import _bytecode
from hlokit.compat.requirements import current_version
from hlokit.compat.serialize import serialize
from hlokit.compat.versions import (
    JAXLIB_RELEASES,
    MINIMUM,
    NEWEST_KNOWN,
    RELEASES,
    bytecode_version,
    news_of,
    opsets,
    readers_of,
)
from hlokit.mlir.portable import Version, parse_version, producer_version, stated_version
from hlokit.mlir.provider.bindings import stablehlo

from .programs import PLAIN, module


def test_minimum_is_the_bindings() -> None:
    assert str(MINIMUM) == str(stablehlo.get_minimum_version())


def test_releases_are_in_order() -> None:
    versions = [release.version for release in RELEASES]
    assert versions == sorted(set(versions))
    assert versions[0] == MINIMUM


def test_opsets_end_with_the_newest() -> None:
    assert opsets(Version(0, 11, 5))[-1] == Version(0, 11)
    assert opsets(Version(NEWEST_KNOWN.major, NEWEST_KNOWN.minor + 2))[-3:] == [
        Version(NEWEST_KNOWN.major, NEWEST_KNOWN.minor + more) for more in range(3)
    ]
    assert opsets(current_version())[-1] == current_version().opset


@pytest.mark.parametrize("version", opsets(current_version()), ids=str)
def test_bytecode_version_equals_that_of_the_bindings(version: Version) -> None:
    data = serialize(module(PLAIN), str(version))
    written = _bytecode.Bytecode(data)
    assert written.version == bytecode_version(version)
    assert producer_version(written.producer) == stated_version(data) == version


@pytest.mark.parametrize("text", ["", "1", "1.2", "1.2.3.4", "1.2.x", "v1.2.3", "1.2.-3", "9999999999.0.0"])
def test_no_version(text: str) -> None:
    assert parse_version(text) is None


def test_versions_compare_as_numbers() -> None:
    assert Version(0, 9) < Version(0, 10) < Version(1, 0) < Version(1, 0, 1)
    assert str(Version(1, 13, 7).opset) == "1.13.0"


def test_stated_version_of_something_else() -> None:
    assert stated_version(b"") is None
    assert stated_version(b"ML\xefR\rMLIR22.0.0git\0") is None
    assert stated_version(b"ML\xefR\rStableHLO_v1.x.0\0") is None
    assert stated_version(b"func.func") is None


def test_readers() -> None:
    assert [holds for _, holds in JAXLIB_RELEASES] == sorted(holds for _, holds in JAXLIB_RELEASES)
    assert readers_of(Version(1, 14, 3)) == "StableHLO 1.14.0 and later, such as jaxlib 0.9.2 and later"
    assert readers_of(Version(99, 0)) == "StableHLO 99.0.0 and later"
    assert news_of(Version(1, 4, 2)) == "operation tan"
    assert news_of(Version(99, 0)) == ""
