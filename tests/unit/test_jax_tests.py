"""The table of JAX's tests: what counts as run, as passed, and with which reason."""

from __future__ import annotations

from tools.jax_tests.page import page
from tools.jax_tests.reasons import explanation, reason


def test_page() -> None:
    passed, skipped = ["passed"], ["skipped"]
    failed = ["failed", "open: AssertionError"]
    xla = {
        "A::same": passed,
        "A::wrong": passed,
        "A::left": passed,
        "A::skipped": skipped,
        "A::bad": failed,
        "B": passed,
    }
    own = {"A::same": passed, "A::wrong": failed, "A::left": skipped, "A::skipped": passed, "A::bad": passed}
    text = page(
        {"fft_test": {"cpu": {"ended": "", "tests": xla}, "hlokit": {"ended": "time limit", "tests": own}}}
    )
    assert "| `fft_test` | 4 | 3 | 1 | hlokit: time limit |" in text
    assert "| all | 4 | 3 | 1 (33.3 %) | |" in text
    assert "| `fft_test::A::wrong` | open: AssertionError |" in text
    assert "| `fft_test::A::left` | skipped |" in text
    assert "A::bad" not in text and "A::same" not in text


def test_reason() -> None:
    message = "AssertionError: 'all-reduce(' not found in 'HloModule jit_f, entry"
    assert reason("async_collectives_test::A::test_async_psum", message).startswith(
        "asserts the text of XLA's"
    )
    assert reason("fft_test::A::test", "AssertionError: arrays differ") == ""


def test_explanation() -> None:
    message = "line\nE   AssertionError: 1 | 2 in /home/me/jax/tests/fft_test.py\nE   more"
    assert explanation("fft_test::A::test", message) == "open: AssertionError: 1 \\| 2 in fft_test.py"
    assert explanation("fft_test::A::test", "died") == "open: no message"
