"""Which operation an unknown name means: names of JAX, NumPy, HLO and ONNX, misspelt names, other dialects."""

from __future__ import annotations

import hlokit
from hlokit.display.suggestions import closest, distance
from hlokit.operations.index import INDEX
from hlokit.operations.lookup import meant

# What people type after `stablehlo.`, and the operation.
USUAL = """
    exp exponential | mul multiply | sub subtract | max maximum | min minimum | erf chlo.erf | topk chlo.top_k
    TopK chlo.top_k | cast convert | where select | sigmoid logistic | matmul dot_general | MatMul dot_general
    concat concatenate | conv convolution | sum reduce | mean reduce | pow power | div divide | neg negate
    rem remainder | cos cosine | sin sine | log1p log_plus_one | expm1 exponential_minus_one | clip clamp
    argmax reduce | cumsum reduce_window | relu maximum | round round_nearest_even | arange iota | tile broadcast_in_dim
    psum all_reduce | ppermute collective_permute | fori_loop while | cond if | switch case | flip reverse
    not_equal compare | equal compare | squeeze reshape | isnan compare | bitcast bitcast_convert
    lgamma chlo.lgamma | digamma chlo.digamma | conv2d convolution | Add add | ReduceSum reduce
    tahn tanh | batch_norm batch_norm_inference | addd add | subtractt subtract | sqr sqrt | dynamic_updte_slice dynamic_update_slice
    reduce-window reduce_window | astype convert | take gather | while_loop while | arctan2 atan2
"""
# Names that mean no operation.
NONE = "softmax gelu xyzzy foo dropout x"


def test_usual_names() -> None:
    rows = [row.split() for row in USUAL.replace("\n", "|").split("|") if row.strip()]
    assert len(rows) > 50
    wrong = [
        f"{name}: {meant(f'stablehlo.{name}')}"
        for name, operation in rows
        if meant(f"stablehlo.{name}") not in (operation, f"stablehlo.{operation}")
    ]
    wrong += [f"{name}: {got}" for name in NONE.split() if (got := meant(f"stablehlo.{name}")) is not None]
    assert not wrong


def test_aliases_have_one_meaning() -> None:
    names = [name.partition(".")[2] for name in INDEX if name.startswith(("stablehlo.", "chlo."))]
    aliases = [alias for entry in INDEX.values() for alias in entry.traits.aliases]
    assert len(aliases) > 150
    assert not {alias for alias in aliases if aliases.count(alias) > 1 or alias in names}


def test_messages() -> None:
    rows = {
        "tosa.add": "hlokit reads no dialect tosa",
        "torch.aten.add": "hlokit reads no dialect torch",
        "linalg.foo": "hlokit reads no dialect linalg",
        "mhlo.add": "`hlokit upgrade FILE` rewrites MHLO",
        "stablhlo.add": "did you mean stablehlo.add?",
        "chlo.sigmoid": "did you mean stablehlo.logistic?",
        "arith.adf": "did you mean arith.addf?",
        "stablehlo.softmax": "StableHLO and CHLO have no such operation",
        "exp": "did you mean stablehlo.exponential?",
    }
    for name, text in rows.items():
        for spelled in (name, f'"{name}"'):
            line = f"%0 = {spelled}(%x) : (tensor<2xf32>) -> tensor<2xf32>"
            source = (
                f"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{ {line} return %0 : tensor<2xf32> }}"
            )
            message = ""
            try:
                hlokit.load(source)
            except hlokit.HlokitError as error:
                message = str(error)
            assert text in message, spelled
            assert message.count(";") == 1, spelled


def test_names_that_are_near() -> None:
    names = ("make-test", "record", "reduce", "replay", "run", "verify", "loading")
    rows = {
        "make_test": "make-test",
        "verfy": "verify",
        "rn": "run",
        "load": "loading",
        "recrod": "record",
        "x": None,
    }
    rows |= {"redue": "reduce", "reply": "replay", "RUN": "run", "": None, "y" * 500: None, "zzzzzz": None}
    assert {name: closest(name, names) for name in rows} == rows
    assert (distance("ab", "ba"), distance("abc", "adc"), distance("", "abc"), distance("loda", "load")) == (
        1,
        1,
        3,
        1,
    )
