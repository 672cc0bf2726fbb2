"""Meshes, shardings and pieces of tensors, and the syntaxes of shardings: Shardy's, JAX's and XLA's."""
