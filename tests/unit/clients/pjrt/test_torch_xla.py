"""PyTorch on hlokit, through torch_xla."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from unit.clients.pjrt.platforms import output, run

HAS_TORCH_XLA = importlib.util.find_spec("torch_xla") is not None


@pytest.mark.deep
@pytest.mark.skipif(not HAS_TORCH_XLA, reason="needs torch_xla, which is too large for the extras for tests")
def test_training_steps() -> None:
    ended = run(str(Path(__file__).with_name("torch_training.py")), None, PJRT_DEVICE="HLOKIT")
    assert ended.returncode == 0, ended.stderr
    losses = json.loads(ended.stdout.splitlines()[-1])
    assert losses["cpu"][-1] < losses["cpu"][0]
    for form in ("lazy", "compiled", "eager"):
        np.testing.assert_allclose(losses[form], losses["cpu"], rtol=1e-5, err_msg=form)


def test_programs_as_hlo() -> None:
    """torch_xla hands over HLO, asks for it again, and JAX's cache stores such programs."""
    script = """
from hlokit.clients.pjrt.executables import Executable
from hlokit.clients.pjrt.messages import bytes_field
from hlokit.programs.importers.protobuf import parts
proto = jax.jit(lambda x: x + 1).lower(np.ones(2, np.float32)).compiler_ir("hlo").as_serialized_hlo_module_proto()
config = bytes_field(1, proto)
for form, code in (("hlo", proto), ("hlo_with_config", config)):
    one = Executable.compiled(code, form, b"")
    again = Executable.deserialized(one.serialize(), None)
    same = next(parts(memoryview(again.optimized_program()), 1))
    print([np.asarray(r).tolist() for r in again.execute([[np.ones(2, np.float32)]])[0]], bytes(same).startswith(proto))
"""
    assert output(script, "cpu") == "[[2.0, 2.0]] True\n[[2.0, 2.0]] True"
