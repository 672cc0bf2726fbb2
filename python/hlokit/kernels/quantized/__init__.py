"""Operations on quantized tensors.

`quantization` converts between quantized values and floats. `operations` adapts the kernels of other types,
so that no other folder handles quantization.
"""
