"""The definitions of the traits of `traits.table`: the legend of the table of operations."""

from __future__ import annotations

TRAITS = {
    # Elements of results
    "elementwise": "an element of the result is a function of the elements of the operands at the same index",
    "scalars": "elementwise, but some operands may be scalars although others are tensors",
    "broadcasting": "elementwise after dimensions of size 1 are stretched; named after the plain operation",
    "same_shape": "not elementwise, but the result has the shape of the first operand",
    "commutative": "elementwise, and f(x, y) = f(y, x)",
    "idempotent": "commutative, and f(x, x) = x, except for complex numbers with a NaN part",
    "identity": "commutative, and f(x, this value) = x for integers and booleans; -1 has all bits set",
    "extremum": "idempotent: the greater or lesser of two",
    "projection": "elementwise, and f(f(x)) = f(x)",
    "even": "elementwise, and f(-x) = f(x)",
    "bitwise": "elementwise on single bits",
    "moves": "elements of results are elements of operands; with `moves=1:3`, of operands[1:3]",
    "view": "moves elements of one operand to places that attributes and shapes alone determine",
    "layout": "a view that fused computations include without copying",
    "rearranges": "a view with every element of the operand once",
    "ranked": "the operation on whole arrays is not the same operation as on their elements",
    "constant": "its value is an attribute",
    "tuple": "creates tuples or extracts their items",
    # Numbers
    "exact": "no rounding: all implementations give the same results",
    "rounded": "elementwise, and rounded once, by IEEE 754",
    "ulps": "elementwise; the error of good libraries is at most this number of units in the last place",
    "contraction": "sums of products",
    "choices": "some results of integers are implementation-defined",
    "partial": "has poles, or is not defined everywhere: finite operands may give NaN or infinities",
    "any_width": "its kernels compute in the operands' type at any width",
    "nans": "bits of NaNs: the result has `one` canonical NaN, operands' NaNs `pass`, no NaN matters "
    "(`blind`), or the `type`, the `comparison`, the `body` or the `target` decides; else all are kept",
    # Regions
    "applies": "applies its region to elements",
    "combines": "applies its region, and combines elements with it",
    "region_values": "diff can observe values in its region: `carried` as results, or computed `beside` it",
    "control": "control flow: returns results of operations in its regions",
    "terminator": "ends a region, and names the returned values",
    # Effects, processes
    "collective": "communicates with other processes, and returns their operands or a combination of them",
    "channel": "communicates with one other process, or with the host",
    "feed": "reads the infeed of a process, or writes its outfeed",
    "receives": "results come from outside of the program",
    "makes_grid": "runs functions on its own process grid",
    "process_id": "depends on the process that evaluates it",
    "async": "starts or awaits another operation",
    "ordering": "only orders other operations",
    "random": "different results in each evaluation",
    "foreign": "foreign code, which may keep references to operands",
    # Compilers
    "allocates": "the result shares no memory with an operand",
    "sizes": "operands that give shapes and other sizes, by position",
    "vm_faster": "the native VM is faster than NumPy on large arrays",
    "vm_complex": "the native VM is faster than NumPy on complex numbers",
    # Passes
    "folds": "passes fold floats with any options, since all implementations give the same result",
    "own_folding": "passes fold the operation by its own patterns, or not at all",
    "refines": "accepts operands with more precise types (more known dimensions) without any other change",
    "no_components": "the bindings infer types, but no components of types",
    "unreified": "the bindings do not compute its shape as a value",
    "encoded": "other versions write the operation as a custom call, @mhlo.<name>",
    # Quantized types
    "dequantizes": "computes in the expressed type: dequantize, compute, quantize",
    "on_storage": "moves storage integers without interpreting them",
    "requantizes": "as `on_storage`, after operands are requantized to the results' types",
    "knows_quantized": "does not depend on values, or handles quantized types itself",
}
