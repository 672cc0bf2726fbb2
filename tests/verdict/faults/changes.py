"""Changes of what an operation is. A function changes an operation in place; false: there is nothing to change."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of
from tests.verdict.faults.structure import are_equal

# Operations of one signature. The result's element type decides: the verifier refuses the others.
_FAMILIES = (
    ("add", "subtract", "multiply", "divide", "maximum", "minimum"),
    ("and", "or", "xor"),
    ("shift_left", "shift_right_arithmetic", "shift_right_logical"),
    ("power", "atan2", "remainder", "multiply"),
    ("tanh", "sine", "cosine", "logistic", "exponential", "cbrt"),
    ("exponential_minus_one", "log_plus_one", "tanh"),
    ("sqrt", "rsqrt", "exponential", "log", "cbrt", "abs"),
    ("floor", "ceil", "round_nearest_even", "round_nearest_afz", "sign"),
    ("negate", "abs", "sign", "not"),
    ("popcnt", "count_leading_zeros", "not"),
    ("real", "imag"),
)
KINDS = {
    f"stablehlo.{name}": tuple(f"stablehlo.{other}" for other in family)
    for family in reversed(_FAMILIES)
    for name in family
}

COMMUTATIVE = {f"stablehlo.{name}" for name in ("add", "multiply", "maximum", "minimum", "and", "or", "xor")}

# Words of attributes, which replace each other.
_WORDS = (
    ("LT", "LE", "GT", "GE", "EQ", "NE"),
    ("NO_TRANSPOSE", "TRANSPOSE"),
    ("FFT", "IFFT"),
    ("true", "false"),
)
_WORD = {word: words for words in _WORDS for word in words}
# Attributes without a meaning of their own, or whose change lets the program break a promise.
_KEPT = {
    "operandSegmentSizes",
    "indices_are_sorted",
    "unique_indices",
    "is_stable",
    "has_side_effect",
    "precision_config",
    "compare_type",
    "value",
    "callee",
    "backend_config",
    "api_version",
    "call_target_name",
    "called_computations",
    "operand_layouts",
    "result_layouts",
    "output_operand_aliases",
}
_INTEGER = re.compile(r"(?<![\w.])-?\d+(?![\w.])")
_LIST = re.compile(r"-?\d+(?:, -?\d+)+")
_LETTERS = re.compile(r"\b[A-Z_]{2,}\b|\btrue\b|\bfalse\b")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|\btrue\b|\bfalse\b")


def another_kind(operation: Any, random: Random) -> bool:
    """An operation of another name on the same operands."""
    names = [name for name in KINDS.get(operation.name, ()) if name != operation.name]
    if not names:
        return False
    with operation.context, operation.location:
        other = ir.Operation.create(
            random.choice(names),
            [result.type for result in operation.results],
            list(operation.operands),
            ip=ir.InsertionPoint(operation),
        )
    operation.results[0].replace_all_uses_with(other.results[0])
    operation.erase()
    return True


def another_order(operation: Any, random: Random) -> bool:
    """Two operands of one type exchanged."""
    if operation.name in COMMUTATIVE:
        return False
    return exchange_operands(operation, random)


def exchange_operands(operation: Any, random: Random) -> bool:
    """Two operands of one type exchanged."""
    operands = list(operation.operands)
    pairs = [
        (first, second)
        for second in range(len(operands))
        for first in range(second)
        if operands[first].type == operands[second].type and not are_equal(operands[first], operands[second])
    ]
    if not pairs:
        return False
    first, second = random.choice(pairs)
    operation.operands[first], operation.operands[second] = operands[second], operands[first]
    return True


def another_word(operation: Any, random: Random) -> bool:
    """A direction of a comparison, a flag, the type of a Fourier transform."""
    return _change_attribute(operation, random, _LETTERS, _other_word)


def another_number(operation: Any, random: Random) -> bool:
    """A dimension, a stride, a padding, a number of bits."""
    if operation.name == "stablehlo.slice":
        return _moved(operation, random, "start_indices", "limit_indices", 1)
    if operation.name == "stablehlo.pad":
        return _moved(operation, random, "edge_padding_low", "edge_padding_high", -1)
    if random.random() < 0.5 and _change_attribute(operation, random, _LIST, _exchanged):
        return True
    return _change_attribute(operation, random, _INTEGER, _other_number)


def another_constant(operation: Any, random: Random) -> bool:
    """One number of a constant."""
    return operation.name == "stablehlo.constant" and _change(
        operation, random, "value", _NUMBER, _other_value
    )


def left_out(operation: Any, random: Random) -> bool:
    """An operation that gives one of its operands."""
    if len(operation.results) != 1:
        return False
    result = operation.results[0]
    operands = [operand for operand in operation.operands if operand.type == result.type]
    if not operands:
        return False
    result.replace_all_uses_with(random.choice(operands))
    operation.erase()
    return True


def followed(operation: Any, random: Random) -> bool:
    """A negation, or a NOT, after an operation."""
    if len(operation.results) != 1 or not isinstance(operation.results[0].type, ir.RankedTensorType):
        return False
    result = operation.results[0]
    element = str(ir.RankedTensorType(result.type).element_type)
    names = (
        ["not"] if element == "i1" else ["negate"] if element.startswith(("ui", "c")) else ["negate", "abs"]
    )
    with operation.context, operation.location:
        point = ir.InsertionPoint.after(operation)
        further = ir.Operation.create(f"stablehlo.{random.choice(names)}", [result.type], [result], ip=point)
    result.replace_all_uses_except(further.results[0], further)
    return True


def another_condition(operation: Any, random: Random) -> bool:
    """What decides about the next iteration: a direction, a bound, an order, a kind."""
    changes = [another_word, another_constant, another_order, another_kind]
    random.shuffle(changes)
    return any(change(operation, random) for change in changes)


def has_words(operation: Any) -> bool:
    """Whether an attribute has a word that another one may replace."""
    texts = [str(operation.attributes[name]) for name in _names_of_attributes(operation)]
    return any(word in _WORD for text in texts for word in _LETTERS.findall(text))


def has_numbers(operation: Any) -> bool:
    """Whether an attribute has a number."""
    texts = [str(operation.attributes[name]) for name in _names_of_attributes(operation)]
    return any(_INTEGER.search(_parts(text)[1]) for text in texts)


def _names_of_attributes(operation: Any) -> list[str]:
    return [name for name in attributes_of(operation) if "." not in name and name not in _KEPT]


def _change_attribute(operation: Any, random: Random, tokens: re.Pattern[str], other: Any) -> bool:
    names = _names_of_attributes(operation)
    random.shuffle(names)
    return any(_change(operation, random, name, tokens, other) for name in names)


def _change(operation: Any, random: Random, name: str, tokens: re.Pattern[str], other: Any) -> bool:
    """Replace one token of an attribute's spelling, but for its type."""
    try:
        text = str(operation.attributes[name])
    except TypeError:  # the bindings have no constants of complex numbers
        return False
    prefix, content, suffix = _parts(text)
    matches = [match for match in tokens.finditer(content) if other(match[0], random) is not None]
    if not matches:
        return False
    match = random.choice(matches)
    replaced = content[: match.start()] + other(match[0], random) + content[match.end() :]
    try:
        operation.attributes[name] = ir.Attribute.parse(prefix + replaced + suffix, operation.context)
    except (ValueError, ir.MLIRError):
        return False
    return True


def _parts(text: str) -> tuple[str, str, str]:
    """What precedes the content of an attribute, the content, and its type."""
    if text.startswith("array<"):
        prefix, _, rest = text.partition(":")
        return prefix + ":", rest, ""
    content, colon, type_ = text.rpartition(" : ")
    return ("", content, colon + type_) if colon else ("", text, "")


def _other_word(word: str, random: Random) -> str | None:
    others = [other for other in _WORD.get(word, ()) if other != word]
    return random.choice(others) if others else None


def _other_number(number: str, random: Random) -> str:
    return str(int(number) + random.choice((-1, 1)))


def _exchanged(numbers: str, random: Random) -> str | None:
    """A list with two of its numbers exchanged; None if all are the same."""
    items = numbers.split(", ")
    pairs = [(a, b) for b in range(len(items)) for a in range(b) if items[a] != items[b]]
    if not pairs:
        return None
    first, second = random.choice(pairs)
    items[first], items[second] = items[second], items[first]
    return ", ".join(items)


def _other_value(number: str, random: Random) -> str:
    if number in ("true", "false"):
        return "false" if number == "true" else "true"
    if number.lstrip("-").isdigit():
        return str(int(number) + random.choice((-1, 1)))
    value = float(number)
    return f"{value * random.choice((1.02, 0.9, -1)) or 0.25:.6e}"


def _moved(operation: Any, random: Random, low: str, high: str, sign: int) -> bool:
    """Shift the start of a slice with its end, or a low padding at the expense of the high one."""
    lows, highs = list(operation.attributes[low]), list(operation.attributes[high])
    if not lows:
        return False
    dimension, step = random.randrange(len(lows)), random.choice((-1, 1))
    lows[dimension] += step
    highs[dimension] += sign * step
    operation.attributes[low] = ir.DenseI64ArrayAttr.get(lows, operation.context)
    operation.attributes[high] = ir.DenseI64ArrayAttr.get(highs, operation.context)
    return True
