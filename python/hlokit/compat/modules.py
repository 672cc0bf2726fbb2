"""Copies of modules, and passes run on copies. The caller's module never changes."""

from __future__ import annotations

import io

from hlokit.mlir.provider.bindings import ir, passmanager


def copy(module: ir.Module) -> ir.Module:
    """A copy of the module in the same context."""
    source = module.operation
    with source.context:
        result = ir.Module.create(source.location)
        for name in source.attributes.keys():  # noqa: SIM118 # iterating gives attributes in some versions
            try:
                result.operation.attributes[name] = source.attributes[name]
            except TypeError:  # the bindings have no class for complex elements
                buffer = io.BytesIO()
                source.write_bytecode(buffer)
                return ir.Module.parse(buffer.getvalue())
        for operation in module.body.operations:
            result.body.append(operation.operation.clone())
    return result


def run_passes(operation: ir.Operation, passes: str) -> bool:
    """Run passes on a module in place. Returns whether they succeeded. `collected` receives the
    diagnostics."""
    with operation.context:
        try:
            passmanager.PassManager.parse(f"builtin.module({passes})").run(operation)
        except ir.MLIRError:
            return False
    return True
