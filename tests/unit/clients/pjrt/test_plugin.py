"""The platform `hlokit` of JAX: how it is chosen, what it says of itself, and its errors."""

from __future__ import annotations

import json
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest

from hlokit import _pjrt, load
from hlokit.clients.pjrt import propagation
from hlokit.clients.pjrt.compile_options import CompileOptions, assignment_message, read_options
from hlokit.clients.pjrt.element_types import DTYPES, number_of
from hlokit.clients.pjrt.executables import Executable
from hlokit.clients.pjrt.host import describe, device_count
from hlokit.clients.pjrt.propagation import leaves_results_open, propagated
from hlokit.engine.plan.evaluate import unexpected
from hlokit.errors import ArgumentError, UnsupportedError
from hlokit.mlir.sandbox.sandboxed_parse import ChildDied
from hlokit.values.element_types import ELEMENT_TYPES
from unit.clients.pjrt.platforms import output, outputs, run

ADD = b"""
module @addition { func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
} }"""


# Scripts, and lines that each prints.
SCRIPTS = {
    "one line": (
        "print(jax.jit(lambda x: x + 1)(1.0), jax.devices()[0].device_kind, jax.default_backend())",
        ["2.0 hlokit cpu"],
    ),
    "options of the compiler": (
        """
lowered = jax.jit(lambda x: x + 1).lower(1.0)
print(lowered.compile(compiler_options={"xla_embed_ir_in_executable": True, "xla_dump_max_hlo_modules": 2})(1.0))
for wrong in ({"nothing": 1}, {"xla_embed_ir_in_executable": "perhaps"}):
    try:
        lowered.compile(compiler_options=wrong)
    except jax.errors.JaxRuntimeError as error:
        print(error)
""",
        [
            "2.0",
            "INVALID_ARGUMENT: compile options must be XLA's, got: INVALID_ARGUMENT: No such compile option: 'nothing'",
            "INVALID_ARGUMENT: compile options must be XLA's, got: INVALID_ARGUMENT: While setting option "
            "xla_embed_ir_in_executable, 'perhaps' is not a valid bool value.",
        ],
    ),
    "devices of the CPU are those of the platform": (
        "print(jax.devices('cpu') == jax.devices())",
        ["True"],
    ),
    "text of an executable": (
        "print(jax.jit(lambda x: x @ x).lower(jnp.ones((2, 2))).compile().as_text())",
        ["f32[2,2]{1,0} dot("],
    ),
    "errors have operation, location and types": (
        "f = jax.jit(lambda x: jax.ffi.ffi_call('nothing', jax.ShapeDtypeStruct((), np.float32))(x))\nf(1.0)",
        [
            "UNIMPLEMENTED: stablehlo.custom_call: no function is registered for custom call @nothing",
            "stablehlo.custom_call (tensor<f32>) in @main at <string>:2",
        ],
    ),
    "errors of callbacks have their lines": (
        "def bad(x): raise ValueError('my mistake')\n"
        "jax.jit(lambda x: jax.pure_callback(bad, jax.ShapeDtypeStruct((), np.float32), x))(1.0)",
        ["INTERNAL: stablehlo.custom_call", "ValueError: my mistake"],
    ),
    "a NaN stops with the operation": (
        "with jax.debug_nans(True): jax.jit(lambda x: jnp.log(x) + 1)(-1.0)",
        ["invalid value (nan) encountered in log"],
    ),
}


def test_scripts() -> None:
    printed = outputs({name: script for name, (script, _) in SCRIPTS.items()})
    for name, (_, lines) in SCRIPTS.items():
        assert [line for line in lines if line not in printed[name]] == [], (name, printed[name])
    assert not any(
        "Traceback" in printed[name]
        for name in ("one line", "options of the compiler", "text of an executable")
    )


def test_the_platform_is_not_chosen_unless_asked_for() -> None:
    assert output("print(jax.devices()[0].device_kind)", None) == "cpu"


def test_both_platforms_in_one_process() -> None:
    script = (
        "a, b = jax.devices('hlokit')[0], jax.devices('cpu')[0]\n"
        "for device in (a, b):\n"
        "    x = jax.jit(lambda x: x * 2)(jax.device_put(np.ones(2), device))\n"
        "    print(x, x.devices().pop().device_kind)"
    )
    assert output(script, "hlokit,cpu").split("\n") == ["[2. 2.] hlokit", "[2. 2.] cpu"]


def test_entry_point() -> None:
    project = tomllib.loads((Path(__file__).parents[4] / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["jax_plugins"] == {"hlokit": "hlokit.clients.pjrt"}
    (entry,) = [entry for entry in entry_points(group="jax_plugins") if entry.name == "hlokit"]
    assert callable(entry.load().initialize)


def test_registering_imports_no_engine() -> None:
    script = (
        "import sys; jax.devices(); print(sorted(n for n in sys.modules if n.startswith('hlokit.'))[:40])"
    )
    modules = set(json.loads(output(script, None).replace("'", '"')))
    assert "hlokit.clients.pjrt" in modules
    assert not {
        name for name in modules if name.startswith(("hlokit.engine.interpreter", "hlokit.programs.program"))
    }


def test_an_installation_without_the_extension() -> None:
    script = (
        "import sys; sys.modules['hlokit._pjrt'] = None\n"
        "print(jax.jit(lambda x: x + 1)(1.0), jax.devices()[0].device_kind)"
    )
    assert output(script, None) == "2.0 cpu"
    ended = run(script)
    assert ended.returncode == 1 and "Backend 'hlokit' is not in the list of known backends" in ended.stderr


def test_the_cache_of_compiled_programs(tmp_path: Path) -> None:
    script = (
        "jax.config.update('jax_persistent_cache_min_compile_time_secs', 0)\n"
        "jax.config.update('jax_persistent_cache_min_entry_size_bytes', -1)\n"
        "import jax._src.monitoring as m; hits = []\n"
        "m.register_event_listener(lambda name, **_: hits.append(name))\n"
        "print(jax.jit(lambda x: x * 3)(2.0), sum('cache_hits' in name for name in hits))"
    )
    cache = {"JAX_COMPILATION_CACHE_DIR": str(tmp_path)}
    assert output(script, **cache) == "6.0 0"
    assert output(script, **cache) == "6.0 1"


def test_api_version() -> None:
    assert _pjrt.api_version() == (0, 90)


def test_element_types_have_the_numbers_of_the_header() -> None:
    header = Path(__file__).parents[4] / "lib" / "vendored" / "xla" / "pjrt" / "c" / "pjrt_c_api.h"
    text = header.read_text()
    names = text[text.index("PJRT_Buffer_Type_INVALID") : text.index("} PJRT_Buffer_Type;")]
    lines = [line.strip(" ,") for line in names.split("\n") if line.strip().startswith("PJRT_Buffer_Type_")]
    order = [line.removeprefix("PJRT_Buffer_Type_").lower() for line in lines]
    assert len(order) == len(DTYPES)
    for name, element_type in ELEMENT_TYPES.items():
        number = number_of(element_type)
        spelled = {"i1": "pred", "index": "s64", "complex<f32>": "c64", "complex<f64>": "c128"}.get(name)
        spelled = spelled or name.lower().replace("ui", "u").replace(
            "i", "s" if name.startswith("i") else "i"
        )
        if number is None:
            assert spelled not in order
        else:
            assert order[number] == spelled


@pytest.mark.parametrize(
    "options",
    [CompileOptions(1, 1, (0,)), CompileOptions(2, 3, (5, 0, 4, 1, 3, 2)), CompileOptions(1, 2, (300, 7))],
)
def test_compile_options(options: CompileOptions) -> None:
    assignment = assignment_message(options)
    build = (
        bytes([4 << 3, options.replicas, 5 << 3, options.partitions, 9 << 3 | 2, len(assignment)])
        + assignment
    )
    assert read_options(bytes([3 << 3 | 2, len(build)]) + build) == options


def test_compile_options_of_one_process() -> None:
    assert read_options(b"") == CompileOptions(1, 1, (0,))
    with pytest.raises(ArgumentError, match="compile options must be a CompileOptionsProto"):
        read_options(b"\xff")


def test_executable() -> None:
    executable = Executable.compiled(ADD, "mlir", b"")
    assert (executable.name, executable.donated) == ("addition", [False, True])
    assert (executable.output_types, executable.output_shapes) == ([11], [(2,)])
    assert executable.memory() == (16, 8, 8, 0)
    one = np.ones(2, np.float32)
    ((result,),) = executable.execute([[one, one]])
    assert result.tolist() == [2, 2] and result.flags.owndata
    again = Executable.deserialized(executable.serialize(), None)
    assert again.fingerprint == executable.fingerprint
    assert again.execute([[one, result]])[0][0].tolist() == [3, 3]


def test_executables_of_another_version() -> None:
    data = Executable.compiled(ADD, "mlir", b"").serialize().replace(b'"version": "', b'"version": "9')
    with pytest.raises(ArgumentError, match="an executable must be of hlokit"):
        Executable.deserialized(data, None)
    with pytest.raises(ArgumentError, match="must begin with hlokit's header"):
        Executable.deserialized(b"something", None)


def test_results_of_dynamic_shape_are_refused() -> None:
    text = b"func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }"
    with pytest.raises(UnsupportedError, match="results of a program must have static shapes"):
        Executable.compiled(text, "mlir", b"")


def test_codes_of_errors() -> None:
    assert describe(ArgumentError("x")) == (3, "x")
    assert describe(UnsupportedError("x")) == (12, "x")
    assert describe(unexpected(MemoryError("Unable to allocate"))) == (8, "out of memory: Unable to allocate")
    code, message = describe(ZeroDivisionError("by zero"))
    assert code == 13 and "ZeroDivisionError: by zero" in message


def test_shardings_that_cannot_be_propagated(monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*_: object, **__: object) -> bytes:
        raise ChildDied("it kills its reader")

    module = load(ADD).module
    assert leaves_results_open(module, "main")
    assert propagated(module) is not module
    monkeypatch.setattr(propagation, "answer", die)
    assert propagated(module) is module


def test_count_of_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HLOKIT_DEVICES", raising=False)
    assert (device_count(None), device_count(3)) == (1, 3)
    monkeypatch.setenv("HLOKIT_DEVICES", "8")
    assert (device_count(None), device_count(3)) == (8, 3)
    monkeypatch.setenv("HLOKIT_DEVICES", "many")
    with pytest.raises(ArgumentError, match="HLOKIT_DEVICES must be a number from 1 to 4096, got many"):
        device_count(None)


RAGGED = """
mesh = jax.make_mesh((2,), ("x",))
def body(x):
    device = jax.lax.axis_index("x")
    counts = jnp.array([[1, 3], [2, 2]])
    starts, places = jnp.array([[0, 1], [0, 2]]), jnp.array([[0, 0], [1, 3]])
    return jax.lax.ragged_all_to_all(
        x, jnp.zeros(5), starts[device], counts[device], places[device], counts[:, device], axis_name="x"
    )
spec = jax.sharding.PartitionSpec("x")
x = jax.device_put(np.arange(8, dtype=np.float32), jax.sharding.NamedSharding(mesh, spec))
print(np.asarray(jax.jit(jax.shard_map(body, mesh=mesh, out_specs=spec))(x)).astype(int).tolist())
"""


def test_exchanges_of_uneven_slices() -> None:
    """Regression: custom calls of JAX that `hlokit.load` understands had no kernel on the platform."""
    assert output(RAGGED, HLOKIT_DEVICES="2") == "[0, 4, 5, 0, 0, 1, 2, 3, 6, 7]"
