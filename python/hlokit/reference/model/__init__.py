"""The specification's execution model: tensors, elements, calls of operations, processes and their grid."""
