"""Sizes, lengths and counts above which fast paths are faster.

One object holds all thresholds. A planner receives the object, and passes it to the rewrites of plans and to
bind functions (`Operation.thresholds`). No result depends on the thresholds. Tests set smaller thresholds, so
that small programs take the fast paths of large programs.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from typing import NamedTuple


class Thresholds(NamedTuple):
    """Measured limits and break-even points.

    Attributes:
      fusion_elements: elements of the smallest array that fusion considers.
      fusion_work: the least additions of a fused computation on arrays that are small enough for
        straight-line code: those that keep two threads busy, twice `least_part` of lib/vm/fused/run.cpp.
      fusion_operations: the number of operations at which a fused computation ends.
      fusion_instructions: the most instructions of a fused computation, including those of inlined functions.
      fusion_inputs: the most arrays that a fused computation reads; more would not stay in the cache.
      fusion_distance: the most steps of the plan between two steps of a fused computation; values that live
        longer occupy memory.
      fusion_call_depth: the largest depth of nested calls and loops that a fused computation inlines.
      fusion_loop_iterations: the most iterations of a loop that a fused computation unrolls.
      fusion_unrolled_iterations: the most iterations of all loops, nested ones included, of a step that a
        fused computation unrolls.
      fusion_row_elements: elements of the shortest row that a fused computation reduces, if they are not
        neighbours.
      straight_line_elements: the number of elements at which an array is too large for straight-line code.
      straight_line_steps: the most steps of one piece of straight-line code.
      inlined_steps: the most steps of the regions of a loop or branch in straight-line code. A larger loop
        remains a program of its own: compiling it again would take longer than calling it.
      template_steps: the fewest steps of a function that native programs lower once and copy for each call.
      scalar_kernel_cost: microseconds of a kernel on scalars, including the overhead of the call.
      array_kernel_cost: microseconds of a kernel on a small array.
      sum_kernel_cost: microseconds of a reduction or contraction of small arrays.
      lapack_kernel_cost: microseconds of a factorisation or solution of small matrices.
      fft_kernel_cost: microseconds of a Fourier transform of a small array.
      sort_kernel_cost: microseconds of a sort of small arrays.
      convolution_kernel_cost: microseconds of a convolution of small arrays.
      random_kernel_cost: microseconds of a few random numbers.
      straight_line_cost: microseconds of a call of straight-line code.
      straight_line_value_cost: microseconds of each operand and result of straight-line code.
      native_call_cost: microseconds that a native loop adds to a kernel that it calls.
      native_loop_cost: microseconds of a native loop without iterations.
      loop_first_iterations: iterations of one run of a loop before it is compiled.
      loop_total_iterations: iterations of a loop in all its runs before it is compiled.
      loop_elements: the most elements that an instruction of a native loop processes, unless the loop has
        many instructions on fewer elements; for contractions, reductions and the like also in straight-line
        code.
      loop_call_elements: elements whose instruction takes as much longer than a kernel with several threads
        as the call of the kernel.
      loop_budget: the number of elements that a native loop processes between two checks for signals and
        other threads.
      folded_elements: the most elements of the result of a step on constants that is computed in advance.
      unrolled_steps: the most steps, in all iterations, of a loop that native programs unroll.
      lowered_instructions: the number of instructions at which lowering ends without a result.
      in_place_bytes: bytes of the smallest array that a loop updates in place.
      partial_sort_ratio: the ratio of a sort to its used part above which it becomes a partial sort.
      arg_extremum_elements: the number of elements above which NumPy's argmax and argmin replace the body.
      convolution_block_bytes: bytes of a block of convolution windows, which fits the second-level cache.
    """

    fusion_elements: int = 4096
    fusion_work: int = 1 << 20
    fusion_operations: int = 400
    fusion_instructions: int = 600
    fusion_inputs: int = 16
    fusion_distance: int = 24
    fusion_call_depth: int = 6
    fusion_loop_iterations: int = 32
    fusion_unrolled_iterations: int = 128
    fusion_row_elements: int = 16
    straight_line_elements: int = 1 << 15
    straight_line_steps: int = 1000
    inlined_steps: int = 128
    template_steps: int = 32
    scalar_kernel_cost: float = 0.04
    array_kernel_cost: float = 0.4
    sum_kernel_cost: float = 1.0
    lapack_kernel_cost: float = 8.0
    fft_kernel_cost: float = 2.5
    sort_kernel_cost: float = 6.0
    convolution_kernel_cost: float = 15.0
    random_kernel_cost: float = 5.0
    straight_line_cost: float = 1.0
    straight_line_value_cost: float = 0.2
    native_call_cost: float = 1.0
    native_loop_cost: float = 6.0
    loop_first_iterations: int = 8
    loop_total_iterations: int = 64
    loop_elements: int = 1 << 15
    loop_call_elements: int = 1 << 14
    loop_budget: int = 100_000
    folded_elements: int = 64
    unrolled_steps: int = 256
    lowered_instructions: int = 20_000
    in_place_bytes: int = 256
    partial_sort_ratio: int = 4
    arg_extremum_elements: int = 4096
    convolution_block_bytes: int = 1 << 20


DEFAULTS = Thresholds()
