"""The only package that imports the MLIR bindings (jaxlib's, or upstream's own wheels).

In reading order:

- `provider`: `bindings` selects the provider, `context` creates contexts, `diagnostics` collects messages;
- `queries`: functions, types, names, uses and definitions of parsed modules;
- `conversion`: constants and attributes as plain Python values, and back;
- `parse`: reads text, bytecode and artifacts; `text.nesting`, `crash_signatures` and `sandbox` protect the
  process from input that crashes the bindings;
- `run_time_types`: the verifier's answer for operations whose dimensions are known only at run time;
- `text` works on text alone, `printing` writes modules, `portable` reads the version of an artifact, and
  `xla` compiles programs with XLA:CPU.
"""
