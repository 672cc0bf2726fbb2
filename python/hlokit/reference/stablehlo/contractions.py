"""Contractions, dot_general and its predecessors: sums of products over common dimensions of two tensors."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, isqrt

from hlokit.errors import EvaluationError, UnsupportedError
from hlokit.mlir.conversion.dimension_numbers import DotAlgorithm, DotDimensionNumbers
from hlokit.reference.model.calls import Call
from hlokit.reference.model.tensors import (
    Index,
    build,
    constant,
    elementwise,
    index_space,
    scalar,
    take,
)
from hlokit.reference.numbers.rules import product_type, sum_of_products
from hlokit.reference.stablehlo.conversions import convert, convert_element, reduce_precision
from hlokit.reference.stablehlo.elementwise import add, select, subtract
from hlokit.values.element import Element
from hlokit.values.element_types import ELEMENT_TYPES, I1, ElementType, Kind
from hlokit.values.tensor import Tensor


def dot_general(
    lhs: Tensor, rhs: Tensor, dimension_numbers: DotDimensionNumbers, element_type: ElementType
) -> Tensor:
    """spec "dot_general": result[b.., l.., r..] = sum over k.. of lhs[b.., l.., k..] * rhs[b.., r.., k..]

    The terms are in row-major order of the contracted dimensions, in the order of lhs.
    """
    numbers = dimension_numbers
    batch = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
    pairs = sorted(zip(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions, strict=True))
    terms = tuple([d for d, _ in pairs]), tuple([d for _, d in pairs])
    for lhs_dimensions, rhs_dimensions in (batch, terms):
        _require_equal(take(lhs.shape, lhs_dimensions), take(rhs.shape, rhs_dimensions))
    rows = tuple(d for d in range(lhs.rank) if d not in batch[0] + terms[0])
    columns = tuple(d for d in range(rhs.rank) if d not in batch[1] + terms[1])
    left = _vectors(lhs, batch[0] + rows, terms[0])
    right = _vectors(rhs, batch[1] + columns, terms[1])
    shape = take(lhs.shape, batch[0] + rows) + take(rhs.shape, columns)
    count, first_column = len(batch[0]), len(batch[0] + rows)

    def element(index: Index) -> Element:
        row, column = index[:first_column], index[:count] + index[first_column:]
        return sum_of(left[row], right[column], element_type)

    return build(shape, element_type, element)


def _vectors(tensor: Tensor, kept: Sequence[int], summed: Sequence[int]) -> dict[Index, list[Element]]:
    """For each index along the kept dimensions, the elements along the summed dimensions, in row-major
    order."""
    vectors: dict[Index, list[Element]] = {}
    order = (*kept, *summed)
    places = [order.index(d) for d in range(tensor.rank)]
    for index in index_space(take(tensor.shape, kept)):
        rest = index_space(take(tensor.shape, summed))
        vectors[index] = [tensor[take((*index, *summed_index), places)] for summed_index in rest]
    return vectors


def _require_equal(lhs_sizes: Index, rhs_sizes: Index) -> None:
    if lhs_sizes != rhs_sizes:
        raise EvaluationError(
            f"sizes of common dimensions must be equal, got {list(lhs_sizes)} and {list(rhs_sizes)}"
        )


def sum_of(lhs: Sequence[Element], rhs: Sequence[Element], element_type: ElementType) -> Element:
    """The sum of lhs[k] * rhs[k] in `element_type`.

    Exact for integers, which wrap at the end; `or` of `and` for booleans; for floats, computed in
    `rules.product_type` and rounded once.
    """
    types = [vector[0].type for vector in (lhs, rhs) if vector] + [element_type]
    if all(type_.kind is Kind.BOOL for type_ in types):
        return Element(I1, any(bool(x) and bool(y) for x, y in zip(lhs, rhs, strict=True)))
    if all(type_.kind.is_integer or type_.kind is Kind.BOOL for type_ in types):
        total = sum(int(x) * int(y) for x, y in zip(lhs, rhs, strict=True))
        return Element.from_bits(element_type, total % (1 << element_type.width))
    if not lhs:
        return Element(element_type, 0.0)
    work = product_type(*types)
    wide_lhs, wide_rhs = ([convert_element(x, work) for x in vector] for vector in (lhs, rhs))
    if work.kind is not Kind.COMPLEX:
        return convert_element(sum_of_products(wide_lhs, wide_rhs), element_type)
    return convert_element(_sum_of_complex_products(wide_lhs, wide_rhs), element_type)


def _sum_of_complex_products(lhs: Sequence[Element], rhs: Sequence[Element]) -> Element:
    """Each part is a sum of twice as many real products: (a + bi)(c + di) = ac + b(-d) + (ad + bc)i."""
    left = [part for x in lhs for part in x.parts]
    right = [y.parts for y in rhs]
    real = sum_of_products(left, [part for c, d in right for part in (c, -d)])
    imag = sum_of_products(left, [part for c, d in right for part in (d, c)])
    return Element.from_bits(lhs[0].type, real.bits | imag.bits << real.type.width)


def dot(lhs: Tensor, rhs: Tensor, element_type: ElementType) -> Tensor:
    """deprecated "dot": dot_general of vectors and matrices that contracts lhs[-1] with rhs[0]"""
    return dot_general(lhs, rhs, DotDimensionNumbers((), (), (lhs.rank - 1,), (0,)), element_type)


# Algorithms -------------------------------------------------------------------------------------------


def dot_general_with_algorithm(
    lhs: Tensor,
    rhs: Tensor,
    dimension_numbers: DotDimensionNumbers,
    algorithm: DotAlgorithm,
    element_type: ElementType,
) -> Tensor:
    """spec "dot_general", `algorithm`: the operands are split into sums of components of the precision types

    The first component is the operand rounded to the precision type, and each further component the rounded
    remainder. Of the products of components i and j, the `num_primitive_operations` largest (with the
    smallest i + j) are summed, the largest last. An operand has at least as many components as these products
    need.
    """
    names = (algorithm.lhs_precision_type, algorithm.rhs_precision_type, algorithm.accumulation_type)
    if any(type_.kind is Kind.COMPLEX for type_ in (lhs.element_type, rhs.element_type, element_type)):
        raise UnsupportedError("types must not be complex if there is an algorithm")
    work = product_type(*(ELEMENT_TYPES.get(name, ELEMENT_TYPES["f32"]) for name in names))
    least = isqrt(algorithm.num_primitive_operations - 1) + 1
    lhs_count, rhs_count = (
        max(count, least) for count in (algorithm.lhs_component_count, algorithm.rhs_component_count)
    )
    lhs_components = _components(convert(lhs, work), lhs_count, names[0])
    rhs_components = _components(convert(rhs, work), rhs_count, names[1])
    order = sorted(((i, j) for i in range(lhs_count) for j in range(rhs_count)), key=sum)
    products = [
        dot_general(lhs_components[i], rhs_components[j], dimension_numbers, work)
        for i, j in order[: algorithm.num_primitive_operations]
    ]
    total, *corrections = products
    if corrections:
        correction = corrections[-1]
        for product in reversed(corrections[:-1]):
            correction = add(correction, product)
        total = add(total, _finite_or_zero(correction))
    return convert(_rounded_to(total, names[2]), element_type)


def _components(operand: Tensor, count: int, precision: str) -> list[Tensor]:
    """The operand rounded, its remainder rounded, the remainder of the remainder rounded, ..."""
    components = [_rounded_to(operand, precision)]
    while len(components) < count:
        operand = _finite_or_zero(subtract(operand, components[-1]))
        components.append(_rounded_to(operand, precision))
    return components


def _rounded_to(operand: Tensor, precision: str) -> Tensor:
    """Values rounded to a precision, in the operand's type."""
    if precision == "tf32":
        return reduce_precision(operand, 8, 10)
    return convert(convert(operand, ELEMENT_TYPES[precision]), operand.element_type)


def _finite_or_zero(operand: Tensor) -> Tensor:
    """The operand with 0 in place of infinities and NaNs, which need no correction."""
    finite = elementwise(lambda x: Element(I1, isfinite(float(x))), operand, element_type=I1)
    return select(finite, operand, constant(0.0, operand.element_type, operand.shape))


# Einstein's sums --------------------------------------------------------------------------------------


def einsum(lhs: Tensor, rhs: Tensor, einsum_config: str, element_type: ElementType) -> Tensor:
    """deprecated "einsum": result[output] = sum over all other labels of lhs[lhs labels] * rhs[rhs labels]

    An ellipsis represents the dimensions without a label. A dimension of size 1 is repeated. Terms are in
    row-major order of the summed labels: first those of lhs, then those of rhs.
    """
    inputs, _, output = einsum_config.replace(" ", "").partition("->")
    lhs_text, rhs_text = inputs.split(",")
    lhs_labels, rhs_labels = _labels(lhs_text, lhs.rank), _labels(rhs_text, rhs.rank)
    sizes: dict[str, int] = {}
    for label, size in zip((*lhs_labels, *rhs_labels), (*lhs.shape, *rhs.shape), strict=True):
        sizes[label] = size if sizes.get(label, 1) == 1 else sizes[label]
        if size not in (1, sizes[label]):
            raise EvaluationError(f"einsum_config: sizes of '{label}' must be equal")
    ellipsis = sorted((label for label in sizes if label.isdigit()), key=int, reverse=True)
    before, dots, after = output.partition("...")
    output_labels = [*before, *(ellipsis if dots else ()), *after]
    summed = [label for label in sizes if label not in output_labels]

    def element(index: Index) -> Element:
        pairs: list[tuple[Element, Element]] = []
        for rest in index_space(tuple(sizes[label] for label in summed)):
            at = dict(zip((*output_labels, *summed), (*index, *rest), strict=True))
            pairs.append((_at(lhs, lhs_labels, at), _at(rhs, rhs_labels, at)))
        return sum_of([x for x, _ in pairs], [y for _, y in pairs], element_type)

    return build(tuple(sizes[label] for label in output_labels), element_type, element)


def unary_einsum(operand: Tensor, einsum_config: str, element_type: ElementType) -> Tensor:
    """deprecated "unary_einsum": einsum with a factor of 1 on the left"""
    one = scalar(convert_element(Element(I1, True), operand.element_type))
    return einsum(one, operand, f",{einsum_config}", element_type)


def _labels(text: str, rank: int) -> list[str]:
    """A label for each dimension; dimensions of an ellipsis are numbered from the last dimension."""
    before, dots, after = text.partition("...")
    inner = range(rank - len(before) - len(after)) if dots else ()
    labels = [*before, *(str(number) for number in reversed(inner)), *after]
    if len(labels) != rank:
        raise EvaluationError(f"einsum_config must name {rank} dimensions, got '{text}'")
    return labels


def _at(tensor: Tensor, labels: Sequence[str], at: dict[str, int]) -> Element:
    return tensor[
        tuple([at[label] if size > 1 else 0 for label, size in zip(labels, tensor.shape, strict=True)])
    ]


def call_dot_general(call: Call) -> Tensor:
    lhs, rhs = call.tensors
    numbers = call.attributes.read("dot_dimension_numbers", DotDimensionNumbers.read)
    if "algorithm" not in call.attributes:
        return dot_general(lhs, rhs, numbers, call.element_type)
    algorithm = call.attributes.read("algorithm", DotAlgorithm.read)
    return dot_general_with_algorithm(lhs, rhs, numbers, algorithm, call.element_type)
