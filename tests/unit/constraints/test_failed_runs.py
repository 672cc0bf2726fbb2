"""Programs that violate the specification, but not the bindings' rules: what fails is the program's fault."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hlokit
from hlokit.constraints import strict
from hlokit.errors import HlokitError, InternalError, VerificationError

STRICT = Path(__file__).parents[2] / "verify" / "strict"
# Their conditions are constants.
ENDLESS = "while_"


def programs() -> dict[str, str]:
    """The programs that only the strict verifier rejects, by the name of their function."""
    texts = [
        text
        for path in sorted(STRICT.glob("*.mlir"))
        for text in re.split(r"^// -----$", path.read_text(), flags=re.M)
    ]
    return {match[1]: text for text in texts if (match := re.search(r"func\.func @(\w+)", text))}


def test_a_run_of_an_invalid_program_is_no_internal_error() -> None:
    blamed, ran = set[str](), 0
    for name, text in programs().items():
        if name.startswith(ENDLESS):
            continue
        try:
            program = hlokit.load(text)
            program(*program.example_inputs())
            ran += 1
        except VerificationError as error:
            blamed.add(name)
            assert error.diagnostics, name
        except HlokitError as error:
            assert not isinstance(error, InternalError), name
    assert ran > 20
    assert blamed >= {"convolution_c5_empty", "scatter_c5_extra", "reduce_c2_narrower", "send_c1"}


def test_verify_refuses_operations_without_results() -> None:
    names = [
        f"{mnemonic}_{label.lower()}"
        for mnemonic, labels in strict.WITHOUT_RESULTS.items()
        for label in labels
    ]
    refused = 0
    for name, text in programs().items():
        if re.match("|".join(f"{name}(_|$)" for name in names), name):
            (diagnostic,) = hlokit.verify(text)
            assert diagnostic.severity == "error", name
            refused += 1
    assert refused >= len(names)


def test_every_way_to_run_blames_the_program() -> None:
    program = hlokit.load(programs()["convolution_c7_empty"])
    arguments = program.example_inputs()
    with pytest.raises(VerificationError, match="rhs_dilation must have size 1, got 0"):
        program(*arguments)
    with pytest.raises(VerificationError, match="rhs_dilation must have size 1, got 0"):
        program(*arguments, tier="reference")
    with pytest.raises(VerificationError, match="rhs_dilation must have size 1, got 0"):
        program.run_parallel([arguments, arguments], num_replicas=2)
