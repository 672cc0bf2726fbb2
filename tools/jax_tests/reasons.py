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
        "async_collectives|shard_map|pjit|api_test|multi_device",
        "not found in ['\"]HloModule|in compiled text|as_text",
        "asserts the text of XLA's optimized HLO; hlokit's executables have that of the program",
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
