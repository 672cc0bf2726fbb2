"""Values and their types, without MLIR.

In reading order: `element_types` (the table of element types) and `quantized`, `types` (tensors, tokens,
tuples), `shapes` (sizes that types leave unknown), `tensor` (values), `bits` (bit patterns, bitwise equality,
ULP distance), `float_format` and `float_arithmetic` under `element` (exact scalar arithmetic), `text` and
`float_text` (values as MLIR prints them), `torch_tensors` (tensors of PyTorch as arrays).
"""
