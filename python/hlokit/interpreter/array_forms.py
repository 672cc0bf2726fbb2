"""Lines of a native program for operations that arrange, pick, write or combine elements of arrays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hlokit.interpreter import forms
from hlokit.interpreter.forms import Form
from hlokit.interpreter.lines import BEGIN, DOT, READ_WINDOWS, REDUCE, WRITE_WINDOWS, Line
from hlokit.interpreter.machine import operation
from hlokit.interpreter.registers import Registers, Unfit, tensor_type
from hlokit.interpreter.steps import Step
from hlokit.interpreter.views import Ints, View, dense
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType


class FormWriter:
    """Writes lines for a step that has a form; gives a view of the result.

    Raises:
      Unfit: the machine does not do it.
    """

    def __init__(self, program: Registers) -> None:
        self._program = program

    def write(self, form: Form, step: Step, operands: list[View]) -> View:
        """Append the lines of a step."""
        result = tensor_type(step.result_types[0])
        for type_ in step.operand_types:
            tensor_type(type_)
        if tensor_type(step.operand_types[0]).element_type != result.element_type and step.name not in _DOTS:
            raise Unfit
        shape, first = result.dims, operands[0]
        match form:
            case forms.Slice(start_indices, strides):
                return first.sliced(start_indices, strides, shape)
            case forms.Transpose(permutation):
                return first.transposed(permutation)
            case forms.Reverse(dimensions):
                return first.reversed(dimensions)
            case forms.Broadcast(dimensions):
                return first.broadcast(dimensions, shape)
            case forms.Reshape():
                view = first.reshaped(shape)
                return (
                    self._program.dense(first)._replace(shape=shape, strides=dense(shape))
                    if view is None
                    else view
                )
            case forms.Concatenate(dimension):
                return self._concatenate(dimension, result, operands)
            case forms.Pad(low, interior):
                return self._pad(low, interior, result, operands)
            case forms.DynamicSlice():
                return self._dynamic_slice(result, first, operands[1:])
            case forms.DynamicUpdateSlice():
                return self._dynamic_update_slice(first, operands[1], operands[2:])
            case forms.Gather():
                return self._gather(form, result, first, operands[1])
            case forms.Scatter():
                return self._scatter(form, *operands)
            case forms.ArgExtremum():
                raise Unfit  # has two results
            case forms.Dot():
                return self._dot(form, result, *operands)
            case forms.Reduce(dimensions, name):
                return self._reduce(dimensions, name, result, *operands)

    # Copies ----------------------------------------------------------------------------------------

    def _new(self, type_: TensorType) -> View:
        result = self._program.new(type_)
        self._program.add(Line(BEGIN, result.register))
        return result

    def _concatenate(self, dimension: int, type_: TensorType, operands: list[View]) -> View:
        operands = [operand for operand in operands if operand.size]
        if len(operands) == 1:
            return operands[0]
        result = self._new(type_)
        start = 0
        for operand in operands:
            offset = start * result.strides[dimension]
            self._program.put(View(result.register, offset, operand.shape, result.strides), operand)
            start += operand.shape[dimension]
        return result

    def _pad(self, low: Ints, interior: Ints, type_: TensorType, operands: list[View]) -> View:
        operand, value = operands
        result = self._new(type_)
        zeros = (0,) * type_.rank
        self._program.put(result, View(self._program.scalar(value), 0, type_.dims, zeros))
        first: list[int] = []
        count: list[int] = []
        for size, low_, interior_, whole in zip(operand.shape, low, interior, type_.dims, strict=True):
            step = interior_ + 1
            # Negative padding drops elements: the first and one past the last that stay.
            start = min(-(low_ // step), size) if low_ < 0 else 0
            stop = max(min((whole - 1 - low_) // step + 1, size), start)
            first.append(start)
            count.append(stop - start)
        shape = tuple(count)
        if all(shape):
            places = tuple([lo + at * (i + 1) for lo, at, i in zip(low, first, interior, strict=True)])
            target = result.sliced(places, tuple([i + 1 for i in interior]), shape)
            self._program.put(target, operand.sliced(tuple(first), (1,) * len(shape), shape))
        return result

    # Windows ---------------------------------------------------------------------------------------

    def _dynamic_slice(self, type_: TensorType, operand: View, starts: list[View]) -> View:
        if not type_.size:
            return self._program.new(type_)
        if not operand.size:
            raise Unfit
        components, operand = self._components(operand, type_.dims, starts)
        window = operand._replace(shape=type_.dims)
        if not components or operand.is_one:
            return window
        key = ("dynamic_slice", window, tuple(map(tuple, components)))
        if key not in self._program.seen:
            result = self._program.new(type_)
            self._windows(READ_WINDOWS, window, result, components)
            self._program.seen[key] = result
        return self._program.seen[key]

    def _dynamic_update_slice(self, operand: View, update: View, starts: list[View]) -> View:
        if not update.size:
            return operand
        result = self._program.copied(operand)
        components, place = self._components(result, update.shape, starts)
        self._windows(WRITE_WINDOWS, place._replace(shape=update.shape), update, components)
        return result

    def _components(self, operand: View, sizes: Ints, starts: list[View]) -> tuple[list[list[int]], View]:
        """Components of the starts that matter and are not known, and the operand moved by those that are."""
        components: list[list[int]] = []
        offset = operand.offset
        for start, whole, size, stride in zip(starts, operand.shape, sizes, operand.strides, strict=True):
            limit = whole - size
            if not limit:
                continue
            register = self._program.scalar(start)
            if register in self._program.known:
                offset += min(max(int(self._program.known[register]), 0), limit) * stride
            else:
                components.append([register, 0, limit, stride, -1])
        return components, operand._replace(offset=offset)

    def _windows(
        self,
        kind: int,
        operand: View,
        other: View,
        components: list[list[int]],
        *,
        batch: Ints = (),
        operand_batch: Ints = (),
        other_batch: Ints = (),
        clamps: bool = True,
        combine: int = -1,
    ) -> None:
        numbers = [len(batch), *batch, len(operand.shape), *operand.shape]
        numbers += [
            operand.offset,
            *operand_batch,
            *operand.strides,
            other.offset,
            *other_batch,
            *other.strides,
        ]
        numbers += [int(clamps), combine, len(components)]
        places: list[int] = []
        for component in components:
            places.append(len(numbers))
            numbers += component
        to, source = (other, operand) if kind == READ_WINDOWS else (operand, other)
        work = operand.size
        for size in batch:
            work *= size
        self._program.add(
            Line(
                kind,
                to.register,
                (source.register,),
                numbers,
                tuple(places),
                keeps=kind == WRITE_WINDOWS,
                is_apart=True,
                work=work,
            )
        )

    def _index_components(
        self, indices: View, index_vector_dim: int, limits: dict[int, tuple[int, int, int]]
    ) -> tuple[Ints, list[list[int]]]:
        """Batch sizes of index vectors, and components: by number, of (limit, stride, window dimension)."""
        axes = [axis for axis in range(len(indices.shape)) if axis != index_vector_dim]
        step = indices.strides[index_vector_dim] if index_vector_dim < len(indices.shape) else 0
        strides = [indices.strides[axis] for axis in axes]
        components = [
            [indices.register, indices.offset + number * step, *strides, *limit]
            for number, limit in limits.items()
        ]
        return tuple([indices.shape[axis] for axis in axes]), components

    def _gather(self, form: forms.Gather, type_: TensorType, operand: View, indices: View) -> View:
        if not type_.size:
            return self._program.new(type_)
        if not operand.size:
            raise Unfit
        numbers, sizes = form.numbers, form.slice_sizes
        dropped = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
        limits: dict[int, tuple[int, int, int]] = {}
        for component, d in enumerate(numbers.start_index_map):
            if d in dropped and sizes[d] != 1:
                raise Unfit
            if operand.shape[d] > sizes[d]:
                limits[component] = operand.shape[d] - sizes[d], operand.strides[d], -1
        batch, components = self._index_components(indices, numbers.index_vector_dim, limits)
        operand_batch = [0] * len(batch)
        for d, axis in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True):
            operand_batch[axis - (axis > numbers.index_vector_dim)] += operand.strides[d]
        kept = [d for d in range(len(operand.shape)) if d not in dropped]
        window = View(
            operand.register,
            operand.offset,
            tuple([sizes[d] for d in kept]),
            tuple([operand.strides[d] for d in kept]),
        )
        result = self._program.new(type_)
        batch_axes = [axis for axis in range(type_.rank) if axis not in numbers.offset_dims]
        part = View(result.register, 0, window.shape, tuple([result.strides[a] for a in numbers.offset_dims]))
        self._windows(
            READ_WINDOWS,
            window,
            part,
            components,
            batch=batch,
            operand_batch=tuple(operand_batch),
            other_batch=tuple([result.strides[axis] for axis in batch_axes]),
        )
        return result

    def _scatter(self, form: forms.Scatter, operand: View, indices: View, updates: View) -> View:
        if not updates.size or not operand.size:
            return operand
        numbers = form.numbers
        type_ = self._program.registers[operand.register].type
        combine = -1
        if form.operation is not None:
            combine = operation(form.operation.removeprefix("stablehlo."), type_, type_)
            if combine < 0:
                raise Unfit
        result = self._program.copied(operand)
        dropped = (*numbers.inserted_window_dims, *numbers.input_batching_dims)
        kept = [d for d in range(len(operand.shape)) if d not in dropped]
        shape = tuple([updates.shape[axis] for axis in numbers.update_window_dims])
        limits: dict[int, tuple[int, int, int]] = {}
        for component, d in enumerate(numbers.scatter_dims_to_operand_dims):
            dimension = kept.index(d) if d in kept else -1
            room = result.shape[d] - (shape[dimension] if dimension >= 0 else 1)
            if room < 0:
                raise Unfit
            limits[component] = room, result.strides[d], dimension
        batch, components = self._index_components(indices, numbers.index_vector_dim, limits)
        operand_batch = [0] * len(batch)
        pairs = zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims, strict=True)
        for d, axis in pairs:
            operand_batch[axis - (axis > numbers.index_vector_dim)] += result.strides[d]
        batch_axes = [a for a in range(len(updates.shape)) if a not in numbers.update_window_dims]
        window = View(result.register, 0, shape, tuple([result.strides[d] for d in kept]))
        part = View(
            updates.register,
            updates.offset,
            shape,
            tuple([updates.strides[a] for a in numbers.update_window_dims]),
        )
        self._windows(
            WRITE_WINDOWS,
            window,
            part,
            components,
            batch=batch,
            operand_batch=tuple(operand_batch),
            other_batch=tuple([updates.strides[a] for a in batch_axes]),
            clamps=False,
            combine=combine,
        )
        return result

    def arg_extremum(
        self, form: forms.ArgExtremum, step: Step, operands: list[View], is_value_used: bool
    ) -> View:
        """The index: the least one of those whose value is the extremum, or NaN."""
        program = self._program
        extremum_name = form.find() if len(operands) == 4 else None  # two inputs, two initial values
        if extremum_name is None:
            raise Unfit
        values, indices, first, first_index = operands
        type_, index_type = tensor_type(step.operand_types[0]), tensor_type(step.operand_types[1])
        name, index_name = type_.element_type.name, index_type.element_type.name
        known = [program.known.get(program.scalar(view)) for view in (first, first_index)]
        if (
            is_value_used
            or not values.size
            or known[0] is None
            or known[1] is None
            or len(form.dimensions) != 1
        ):
            raise Unfit
        if known[0] != _neutral(type_, extremum_name) or known[1] != 0 or not self._counts(indices, form):
            raise Unfit
        result = tensor_type(step.result_types[1])
        (dimension,) = form.dimensions
        found = self._reduce(
            (dimension,), f"stablehlo.{extremum_name}", replace(type_, shape=result.shape), values, first
        )
        kept = tuple([d for d in range(type_.rank) if d != dimension])
        extremum = program.element_or_whole(found.broadcast(kept, type_.dims))
        value = program.element_or_whole(values)
        shape = type_.dims
        chosen = program.sweep(operation("EQ", "i1", name), "i1", shape, (value, extremum))
        if type_.element_type.kind is Kind.FLOAT:
            nan = program.sweep(operation("NE", "i1", name), "i1", shape, (value, value))
            both = program.element_or_whole(chosen), program.element_or_whole(nan)
            chosen = program.sweep(operation("or", "i1", "i1"), "i1", shape, both)
        none = program.known_scalar(_neutral(index_type, "minimum"), index_name)
        registers = program.element_or_whole(chosen), program.element_or_whole(indices), none
        picked = program.sweep(operation("select", index_name, index_name), index_name, shape, registers)
        last = View(none, 0, (), ())
        return self._reduce((dimension,), "stablehlo.minimum", result, picked, last)

    def _counts(self, indices: View, form: forms.ArgExtremum) -> bool:
        """Indices count from 0 along the dimension."""
        array = self._program.arrays.get(indices.register)
        if array is None or array.shape != indices.shape or not self._program.is_whole(indices):
            return False
        (dimension,) = form.dimensions
        counts = [*range(array.shape[dimension])]
        rows: Any = np.moveaxis(array, dimension, -1).reshape(-1, len(counts)).tolist()
        return all(row == counts for row in rows)

    # Products --------------------------------------------------------------------------------------

    def _dot(self, form: forms.Dot, type_: TensorType, lhs: View, rhs: View) -> View:
        names = {self._program.registers[operand.register].type for operand in (lhs, rhs)}
        name = type_.element_type.name
        if (
            len(names) != 1
            or not names <= _FLOATS
            or name not in _FLOATS
            or ("f64" in names) != (name == "f64")
        ):
            raise Unfit
        numbers = form.numbers
        batch = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
        pairs = sorted(
            zip(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions, strict=True)
        )
        terms = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        rows = [d for d in range(len(lhs.shape)) if d not in (*batch[0], *terms[0])]
        columns = [d for d in range(len(rhs.shape)) if d not in (*batch[1], *terms[1])]
        result = self._program.new(type_)
        if not (lhs.size and rhs.size):
            raise Unfit
        steps = iter(result.strides)
        written = [[next(steps) for _ in group] for group in (batch[0], rows, columns)]
        row = [lhs.offset, rhs.offset]
        row += [len(batch[0]), *[lhs.shape[d] for d in batch[0]]]
        row += [*[lhs.strides[d] for d in batch[0]], *[rhs.strides[d] for d in batch[1]], *written[0]]
        row += [len(rows), *[lhs.shape[d] for d in rows], *[lhs.strides[d] for d in rows], *written[1]]
        row += [len(pairs), *[lhs.shape[d] for d in terms[0]]]
        row += [*[lhs.strides[d] for d in terms[0]], *[rhs.strides[d] for d in terms[1]]]
        row += [
            len(columns),
            *[rhs.shape[d] for d in columns],
            *[rhs.strides[d] for d in columns],
            *written[2],
        ]
        count = type_.size
        for d in terms[0]:
            count *= lhs.shape[d]
        line = Line(
            DOT, result.register, (lhs.register, rhs.register), row, is_apart=True, work=count // _DOT_SPEED
        )
        self._program.add(line)
        return result

    # Reductions ------------------------------------------------------------------------------------

    def _reduce(self, dimensions: Ints, name: str, type_: TensorType, operand: View, init: View) -> View:
        number = operation(name.removeprefix("stablehlo."), type_.element_type.name, type_.element_type.name)
        if number < 0 or (type_.element_type.name == "bf16" and name not in _EXTREMA):
            raise Unfit
        result = self._program.new(type_)
        kept = [d for d in range(len(operand.shape)) if d not in dimensions]
        numbers = [number, operand.offset]
        for group in (kept, dimensions):
            numbers += [len(group), *[operand.shape[d] for d in group], *[operand.strides[d] for d in group]]
        if operand.size > _MOST_REDUCED:
            raise Unfit
        registers = operand.register, self._program.scalar(init)
        self._program.add(Line(REDUCE, result.register, registers, numbers, is_apart=True, work=operand.size))
        return result


def _neutral(type_: TensorType, name: str) -> Any:
    """The value that an extremum is of no values."""
    dtype = type_.element_type.dtype
    if type_.element_type.kind is Kind.FLOAT:
        return np.asarray(-np.inf if name == "maximum" else np.inf, dtype)[()]
    if not type_.element_type.kind.is_integer:
        raise Unfit
    info = np.iinfo(dtype)
    return np.asarray(info.min if name == "maximum" else info.max, dtype)[()]


_DOTS = ("stablehlo.dot_general", "stablehlo.dot")
_FLOATS = {"f32", "f64", "bf16"}
# Products that take the time of an element.
_DOT_SPEED = 64
_EXTREMA = ("stablehlo.maximum", "stablehlo.minimum")
# What the machine reduces at a time.
_MOST_REDUCED = 1 << 18
