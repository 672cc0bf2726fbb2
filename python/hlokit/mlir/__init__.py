"""The only package that imports the MLIR bindings (jaxlib's, or upstream's own wheels).

In reading order: `bindings` picks the provider; `context` makes contexts; `parse` reads text, bytecode and
artifacts, with `text.nesting`, `crash_signatures` and `sandbox` guarding the bindings against input that
would kill the process; `module`, `structure` and `attributes` query what has been read; `types`, `constants`,
`elements`, `dimension_numbers`, `replica_groups` and `shardings` convert types and attributes to plain Python
values and back. `text` works on text alone; `printing` writes modules; `diagnostics` collects messages;
`versions` and `portable` know versions; `xla` compiles programs with XLA:CPU.
"""
