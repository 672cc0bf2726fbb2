"""Each extension has its own state of nanobind, and so its own exception translators."""

from __future__ import annotations

import ctypes

from hlokit import _bytecode, _kernels, _pjrt


def test_extensions_share_no_state() -> None:
    assert len({_bytecode, _kernels, _pjrt}) == 3
    python = ctypes.pythonapi
    python.PyInterpreterState_Get.restype = ctypes.c_void_p
    python.PyInterpreterState_GetDict.restype = ctypes.py_object
    python.PyInterpreterState_GetDict.argtypes = [ctypes.c_void_p]
    state = python.PyInterpreterState_GetDict(python.PyInterpreterState_Get())
    for name in ("hlokit_bytecode", "hlokit_kernels", "hlokit_pjrt"):
        assert any("nb_internals" in str(key) and name in str(key) for key in state), list(state)
