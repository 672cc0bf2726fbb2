"""The extensions lose no memory. `python -m tests.fuzz.leaks` runs more programs, and instrumented extensions."""

from __future__ import annotations

import sys

import pytest

from tests.fuzz import leaks

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(
        sys.platform != "linux" or leaks.library("liblsan.so") is None, reason="needs LeakSanitizer of GCC"
    ),
]


def test_the_extensions_lose_no_memory() -> None:
    assert list(leaks.findings(leaks.report(11, 0))) == []


def test_a_leak_is_found() -> None:
    (found,) = leaks.findings(leaks.report(1, 0, planted=True))
    assert "/hlokit/_bytecode." in found


def test_reports_that_are_findings() -> None:
    frame = "\n    #0 0x7f {}\n\n"
    leak = "Direct leak of 3 byte(s) in 1 object(s) allocated from:" + frame
    assert list(leaks.findings(leak.format("(/x/jaxlib/libjax_common.so+0x1)"))) == []
    both = leak.format("(/x/jaxlib/libjax_common.so+0x1)\n    #1 0x7f (/x/hlokit/_kernels.abi3.so+0x1)")
    assert len(list(leaks.findings(both))) == 1
    assert len(list(leaks.findings(leak.format("(/usr/lib/libstdc++.so.6+0x1)")))) == 1
    assert list(leaks.findings(' - leaked instance 0x1 of type "hlokit._kernels.Loop"\n'))
    assert list(leaks.findings("==1==ERROR: AddressSanitizer: heap-buffer-overflow\n"))
