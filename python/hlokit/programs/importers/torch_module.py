"""Programs that torch_xla makes of modules of PyTorch.

torch_xla (tried: 2.9.0) cannot store weights in bf16, takes sums of all elements for sums of none, and shifts
negative integers to the right like quotients. So weights are read here, and both operations are replaced by
others first; results of shapes that differ from the module's are an error.
"""

# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# (torch is optional)

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlokit.children.folders import TemporaryFolder
from hlokit.errors import ArgumentError
from hlokit.programs.importers.torch_xla import Description, Shape, read_folder
from hlokit.values.torch_tensors import array_of_tensor


def export_module(module: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Description:
    """The function of a `torch.nn.Module` for arguments like the examples.

    Raises:
      ArgumentError: torch or torch_xla is not installed, `module` is no module, the examples do not fit
        it, or PyTorch or torch_xla cannot export it.
    """
    try:
        import torch
        from torch_xla.stablehlo import StableHLOExportOptions, exported_program_to_stablehlo
    except ImportError as error:
        raise ArgumentError("from_torch needs torch and torch_xla: pip install torch torch_xla") from error
    is_exported = isinstance(module, torch.export.ExportedProgram)
    if not is_exported and not isinstance(module, torch.nn.Module):
        takes = "from_torch takes a torch.nn.Module or a torch.export.ExportedProgram"
        raise ArgumentError(
            f"{takes}, got {type(module).__name__} (a function must be the forward of a module)"
        )
    examples = () if is_exported else _positional(module, arguments, keywords)
    with TemporaryFolder() as folder:
        try:
            exported: Any = module if is_exported else torch.export.export(module, examples)
            exported = exported.run_decompositions(_decompositions(torch))
            graph = exported_program_to_stablehlo(exported, StableHLOExportOptions(export_weights=False))
        except Exception as error:  # exporters raise exceptions of any kind
            reason = str(error) or type(error).__name__
            raise ArgumentError(f"PyTorch or torch_xla cannot export the module: {reason}") from error
        graph.save(folder)
        tensors = {**exported.state_dict, **exported.constants}
        weights = {name: array_of_tensor(value) for name, value in tensors.items()}
        return replace(read_folder(folder, weights), results=_result_shapes(torch, exported))


def _result_shapes(torch: Any, exported: Any) -> tuple[Shape, ...]:
    """The shapes of an exported module's results; None for those that are no tensors."""
    (output,) = [node for node in exported.graph.nodes if node.op == "output"]
    nodes = {node.name: node for node in output.args[0] if isinstance(node, torch.fx.Node)}
    values: list[Any] = [
        nodes[name].meta.get("val") if name in nodes else None
        for name in exported.graph_signature.user_outputs
    ]
    return tuple([_shape(value) if torch.is_tensor(value) else None for value in values])


def _shape(tensor: Any) -> Shape:
    return tuple([size if isinstance(size, int) else None for size in tensor.shape])


def _positional(module: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> tuple[Any, ...]:
    """The arguments of a module's forward without keywords, which torch_xla does not take."""
    try:
        bound = inspect.signature(module.forward).bind(*arguments, **keywords)
    except TypeError as error:
        raise ArgumentError(f"the examples do not fit the module: {error}") from None
    if bound.kwargs:
        raise ArgumentError(
            f"torch_xla takes arguments by position only, got {', '.join(bound.kwargs)} by keyword: "
            "give all arguments before them, too"
        )
    return bound.args


def _decompositions(torch: Any) -> dict[Any, Callable[..., Any]]:
    aten = torch.ops.aten

    def sum_of_all(x: Any, *, dtype: Any = None) -> Any:
        return torch.sum(x, dim=list(range(x.ndim)), dtype=dtype)

    def shifted_right(x: Any, places: Any) -> Any:
        return torch.bitwise_right_shift(x, places).to(x.dtype)

    return {
        **torch.export.default_decompositions(),
        aten.sum.default: sum_of_all,
        aten.__rshift__.Scalar: shifted_right,
        aten.__rshift__.Tensor: shifted_right,
    }
