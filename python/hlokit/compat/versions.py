"""The table of StableHLO versions: the features that each version introduced, its bytecode version, and its
consumers."""

from __future__ import annotations

from dataclasses import dataclass

from hlokit.mlir.portable import Version


@dataclass(frozen=True, slots=True)
class Release:
    """A minor version, and the features that it introduced."""

    version: Version
    news: str


# The oldest version of artifacts.
MINIMUM = Version(0, 9)

RELEASES = tuple(
    Release(Version(*version), news)
    for version, news in (
        ((0, 9), "the first portable artifacts"),
        ((0, 10), "types f8E4M3FNUZ, f8E5M2FNUZ"),
        ((0, 11), "type f8E4M3B11FNUZ"),
        ((0, 12), "bytecode version 3"),
        ((0, 13), "no change that programs show"),
        ((0, 14), "bytecode version 4"),
        ((0, 15), "bytecode version 6"),
        ((0, 16), "operation collective_broadcast"),
        ((0, 17), "reductions that accumulate in a wider type"),
        ((0, 18), "types quantized per axis"),
        ((0, 19), "operation composite"),
        ((0, 20), "dynamic_conv without the attribute padding"),
        ((1, 0), "a guarantee of 5 years backward and 2 years forward"),
        ((1, 1), "batching dimensions of gather and scatter"),
        ((1, 2), "types i2 and ui2"),
        ((1, 3), "custom_call with a dictionary as backend_config"),
        ((1, 4), "operation tan"),
        ((1, 5), "all_reduce, all_gather, all_to_all of several operands"),
        ((1, 6), "algorithm of dot_general"),
        ((1, 7), "types f8E4M3, f8E3M4"),
        ((1, 8), "types f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU"),
        ((1, 9), "result_accuracy of exponential"),
        ((1, 10), "result_accuracy of the other transcendental operations"),
        ((1, 11), "programs that mix in other dialects"),
        ((1, 12), "source_target_pairs of send and recv"),
        ((1, 13), "buffer types of custom_call"),
        ((1, 14), "composite with regions"),
        ((1, 15), "operations async_start and async_done, future types"),
        ((1, 16), "replica groups given by meshes"),
        ((1, 17), "future types of custom_call"),
        ((1, 18), "result_tilings of custom_call"),
        ((1, 19), "operation collective_reduce"),
        ((1, 20), "has_dynamic_root of collective_broadcast"),
        # jaxlib 0.12.0.1 writes these versions, but has no operation, type or attribute that 1.20 rejects.
        ((1, 21), "no known change"),
        ((1, 22), "no known change"),
    )
)
NEWEST_KNOWN = RELEASES[-1].version

# Bytecode versions, each with the first StableHLO version that uses it.
_BYTECODE_SINCE = (
    (Version(0, 15), 6),
    (Version(0, 14), 4),
    (Version(0, 12), 3),
    (Version(0, 10), 1),
    (Version(0, 9), 0),
)

# jaxlib releases with the StableHLO version that their bindings report.
JAXLIB_RELEASES = tuple(
    (jaxlib, Version(*version))
    for jaxlib, version in (
        ("0.4.20", (0, 14, 27)),
        ("0.4.26", (0, 19, 4)),
        ("0.4.30", (1, 1, 3)),
        ("0.4.34", (1, 7, 5)),
        ("0.4.38", (1, 8, 7)),
        ("0.5.0", (1, 8, 9)),
        ("0.5.3", (1, 10, 0)),
        ("0.6.0", (1, 10, 4)),
        ("0.6.2", (1, 11, 0)),
        ("0.7.0", (1, 12, 1)),
        ("0.7.2", (1, 13, 0)),
        ("0.8.0", (1, 13, 1)),
        ("0.8.2", (1, 13, 5)),
        ("0.9.0", (1, 13, 7)),
        ("0.9.2", (1, 14, 0)),
        ("0.10.0", (1, 16, 0)),
        ("0.10.1", (1, 17, 0)),
        ("0.12.0.1", (1, 22, 0)),
    )
)


def bytecode_version(version: Version) -> int:
    """The version of the bytecode format in artifacts of a StableHLO version."""
    return next(bytecode for since, bytecode in _BYTECODE_SINCE if version >= since)


def opsets(newest: Version) -> list[Version]:
    """All minor versions from the minimum to `newest`, oldest first."""
    listed = [release.version for release in RELEASES if release.version <= newest]
    # Versions newer than this table are assumed to be consecutive.
    later = [Version(newest.major, minor) for minor in range(NEWEST_KNOWN.minor + 1, newest.minor + 1)]
    return listed + (later if newest.major == NEWEST_KNOWN.major else [])


def news_of(version: Version) -> str:
    """The features that this minor version introduced."""
    return next((release.news for release in RELEASES if release.version == version.opset), "")


def readers_of(version: Version) -> str:
    """The consumers that read artifacts of a version, in words."""
    jaxlib = next((name for name, holds in JAXLIB_RELEASES if holds >= version.opset), None)
    consumer = f"StableHLO {version.opset} and later"
    return consumer if jaxlib is None else f"{consumer}, such as jaxlib {jaxlib} and later"
