"""The only package that imports the MLIR bindings (jaxlib's, or upstream's own wheels).

In reading order: `bindings` selects the provider; `context` creates contexts; `parse` reads text, bytecode
and artifacts, with `text.nesting`, `crash_signatures` and `sandbox` protecting the process from input that
crashes the bindings; `module`, `structure` and `attributes` query parsed modules; `types`, `constants`,
`elements`, `dimension_numbers`, `replica_groups` and `shardings` convert types and attributes to plain Python
values and back. `text` works on text alone; `printing` writes modules; `diagnostics` collects messages;
`versions` and `portable` handle versions; `xla` compiles programs with XLA:CPU.
"""
