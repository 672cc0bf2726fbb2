"""What the traits of `contract.traits` mean: the legend of the table of operations."""

from __future__ import annotations

TRAITS = {
    # What a result is made of
    "elementwise": "an element of the result is a function of the elements of the operands at the same index",
    "scalars": "elementwise, but some operands may be scalars beside tensors",
    "broadcasting": "elementwise after dimensions of size 1 are stretched; named after the plain operation",
    "same_shape": "not elementwise, but the result has the shape of the first operand",
    "commutative": "elementwise, and f(x, y) = f(y, x), but for NaN and -0 in extrema of complex numbers",
    "idempotent": "commutative, and f(x, x) = x",
    "extremum": "idempotent: the greater or lesser of two",
    "projection": "elementwise, and f(f(x)) = f(x)",
    "bitwise": "elementwise on single bits",
    "moves": "elements of results are elements of operands, with `moves=1:3` of operands[1:3]",
    "view": "moves elements of one operand to places that attributes and shapes alone determine",
    "layout": "a view that fused computations look through",
    "constant": "its value is an attribute",
    "tuple": "makes tuples or takes them apart",
    # Numbers
    "exact": "no rounding: any implementation gives the same",
    "rounded": "elementwise, and rounded once, by IEEE 754",
    "ulps": "elementwise; good libraries keep within so many units in the last place",
    "contraction": "sums of products",
    "choices": "some results of integers are implementation-defined",
    "partial": "has poles, or is not defined everywhere: finite operands may give what is not finite",
    "any_width": "its kernels compute in the operands' type at any width",
    "nans": "bits of NaNs: `one` NaN comes out whichever goes in, operands' NaNs `pass`, none matter "
    "(`blind`), or the `type`, the `comparison`, the `body` or the `target` decides; else all are kept",
    # Regions
    "applies": "applies its region to elements",
    "combines": "applies its region, and combines elements with it",
    "control": "control flow: passes on what operations within compute",
    "terminator": "ends a region, and names what it returns",
    # Effects, processes
    "collective": "talks to other processes, and gives what they sent or combined",
    "channel": "talks to one other process, or to the host",
    "feed": "reads or writes what the host gives to a process or takes from it",
    "receives": "results come from outside of the program",
    "process_id": "depends on the process that evaluates it",
    "async": "starts or awaits another operation",
    "ordering": "only orders others",
    "random": "other results each time",
    "foreign": "code that is unknown here, which may keep operands",
    # Compilers
    "allocates": "the result shares no memory with an operand",
    "sizes": "operands that give shapes and other sizes, by position",
    "vm_faster": "the native VM is faster than NumPy on large arrays",
    "vm_complex": "the native VM is faster than NumPy on complex numbers",
    # Passes
    "folds": "floats are folded with any options, since every implementation gives the same",
    "own_folding": "passes fold it by patterns of its own, if at all",
    "refines": "accepts operands of more precise types without any other change",
    "no_components": "the bindings infer types, but no components of types",
    "unreified": "the bindings do not give its shape as a value",
    "encoded": "other versions write it as a custom call, @mhlo.<name>",
    # Quantized types
    "dequantizes": "computes in the expressed type: dequantize, compute, quantize",
    "on_storage": "moves storage integers, whatever they mean",
    "requantizes": "as `on_storage`, after operands are requantized to the results' types",
    "knows_quantized": "does not look into values, or asks for quantized types itself",
}
