"""Converts programs of other frameworks to StableHLO, and reads weights beside a program.

`inputs.py` turns the bytes of an input into MLIR text or bytecode: compressed files (`compressed.py`), HLO
(`hlo.py`), TensorFlow's saved models (`saved_model.py`, which reads messages with `protobuf.py`).
`torch_xla.py` reads the folders of torch_xla, which `torch_module.py` has it write of a module of PyTorch.
`weights.py` opens `.npz` and safetensors files without copying their contents.
"""
