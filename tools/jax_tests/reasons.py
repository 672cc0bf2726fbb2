"""Why tests of JAX pass with XLA:CPU and not with hlokit."""

from __future__ import annotations

import re

# A pattern for `file::test`, a pattern for the message, and the reason.
REASONS: tuple[tuple[str, str, str], ...] = (
    (
        "array_interoperability.*NumpyToJax",
        "unexpected success",
        "asserts that XLA copies memory by its alignment; hlokit shares what NumPy calls aligned",
    ),
    (
        "",
        r"HloModule|stack_frame_id=",
        "asserts the text of XLA's optimized HLO; hlokit's executables have that of the program",
    ),
    (
        r"unreduced|ShardingInTypesTest::test_(bincount|segment_sum)",
        "Arrays are not equal|Not equal to tolerance",
        "asserts the terms of a sum on each device; hlokit has the whole on one, and zeros on the others",
    ),
    (
        r"ScipyLinalgTest::testSchur\d",
        "Not equal to tolerance",
        "asserts the signs and rotations that LAPACK chooses; other Schur forms are as right",
    ),
    (
        "pjit.*minibatch_(scan_)?unreduced",
        "0 != 1",
        "counts operations in the text of XLA's optimized HLO; hlokit's executables have that of the program",
    ),
    (
        "multi_device.*full_like_efficient",
        "bytes_reservable_limit",
        "reads a limit of memory whenever there are statistics of memory; hlokit's devices have none",
    ),
)


def reason(name: str, message: str) -> str:
    """The reason for a failure; "" if it is not known."""
    for test, text, because in REASONS:
        if re.search(test, name) and re.search(text, message):
            return because
    return ""


def explanation(name: str, message: str) -> str:
    """The reason for a failure, or the first line of its message, without paths of the machine."""
    lines = [line.removeprefix("E").strip() for line in message.splitlines() if line.startswith("E  ")]
    first = re.sub(r"/\S+/", "", lines[0] if lines else "no message")[:160].replace("|", "\\|")
    return reason(name, message) or f"open: {first}"
