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
    because = "asserts the signs and rotations that LAPACK chooses; other Schur forms are as right"
    one = {
        "cpu": {"tests": {"A": passed}, "ended": ""},
        "hlokit": {"tests": {"A": ["failed", because]}, "ended": ""},
    }
    both = {"cpu": {"ended": "", "tests": xla}, "hlokit": {"ended": "time limit", "tests": own}}
    text = page({"0.1.2": {"fft_test": both}, "0.2.0": {"fft_test": both, "linalg_test": one}})
    assert "| 0.1.2 | 4 | 3 | 1 (33.3 %) | of 3: 33.3 % |" in text
    assert "| 0.2.0 | 5 | 4 | 1 (25.0 %) | of 3: 33.3 % |" in text
    assert text.count(f"| `linalg_test::A` | {because} |") == 1
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
