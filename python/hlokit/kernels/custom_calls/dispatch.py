"""custom_call: evaluation by the function that is registered for the target."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from hlokit.engine.contract.array_ops import Lapack, LapackCall
from hlokit.engine.contract.custom_calls import CustomCall, CustomCallFunction, find_custom_call, is_builtin
from hlokit.engine.contract.registry import Kernel, Operation, Value, find
from hlokit.engine.contract.run_context import current
from hlokit.errors import EvaluationError, HlokitError, UnsupportedError
from hlokit.kernels.custom_calls.results import OwnCall
from hlokit.operations.lookup import having
from hlokit.values.bits import aligned
from hlokit.values.tensor import Token
from hlokit.values.types import TensorType, TokenType, TupleType, ValueType


def custom_call(operation: Operation) -> Kernel:
    """spec "custom_call": results = call_target_name(inputs...), which the implementation defines.

    The kernel looks the function up when the program reaches the call. Therefore a function may be registered
    late, and a program runs if it never reaches its unknown custom calls.
    """
    attributes = operation.attributes
    target = attributes.string("call_target_name")
    encoded = ENCODED.get(target)
    bind = None if encoded is None or find_custom_call(target) is not None else find(encoded)
    if encoded is not None and bind is not None:
        return cast(Kernel, bind(operation._replace(name=encoded)))
    plain = attributes.plain()
    names = plain.get("called_computations")
    computations = [operation.function(str(name)) for name in names] if isinstance(names, list) else []
    call = CustomCall(target, operation.operand_types, operation.result_types, plain, tuple(computations))
    array_op = None
    if find_custom_call(target) is not None and re.fullmatch(r"lapack_\w+_ffi", target):
        from hlokit.kernels.custom_calls.lapack import described  # programs without LAPACK do not need it

        array_op = Lapack(partial(_described, call, described))
    return Kernel(_Caller(call, _callback(operation, call)), array_op=array_op)


def _described(call: CustomCall, described: Callable[[CustomCall], LapackCall | None]) -> LapackCall | None:
    """The LAPACK routine that hlokit's function for the target runs, as data."""
    function = find_custom_call(call.target)
    if function is None or not is_builtin(call.target, function):
        return None
    try:
        return described(call)
    except (
        KeyError,
        TypeError,
        ValueError,
        OverflowError,
    ):  # a configuration that raises an error when the program reaches the call
        return None


# Operations that programs of other versions encode as custom calls.
ENCODED = {f"mhlo.{name.partition('.')[2]}": name for name in sorted(having(lambda traits: traits.encoded))}

# Targets by which JAX calls Python functions (pure_callback, io_callback, jax.debug).
_PYTHON_CALLBACK = r"xla_.*python_.*callback"

# Patterns of targets that cannot be evaluated, and the reason.
NOT_EVALUATED = {
    _PYTHON_CALLBACK: "it calls Python code of the process that made the program",
    r"tpu_custom_call|mosaic_gpu.*|__gpu.*|triton_kernel_call.*": "it holds machine code of an accelerator",
    r"tf\..*": "it calls a function of TensorFlow",
}


def reason_not_evaluated(target: str) -> str | None:
    """The reason why hlokit does not evaluate custom calls to a target; None if it does."""
    if target in ENCODED or find_custom_call(target) is not None:
        return None
    return f"no function is registered for @{target}{_because(target)}"


def _because(target: str) -> str:
    reasons = (reason for pattern, reason in NOT_EVALUATED.items() if re.fullmatch(pattern, target))
    reason = next(reasons, None)
    return "" if reason is None else f" ({reason})"


def is_python_callback(target: str) -> bool:
    """Whether custom calls to a target call Python functions of the process that made the program."""
    return re.fullmatch(_PYTHON_CALLBACK, target) is not None


def _callback(operation: Operation, call: CustomCall) -> CustomCallFunction | None:
    """The Python function that JAX's custom call names, if the program comes from this process."""
    if not operation.callbacks or not is_python_callback(call.target):
        return None
    config = call.attributes.get("mhlo.backend_config")
    index: Any = cast("dict[str, Any]", config).get("index") if isinstance(config, dict) else None
    if not isinstance(index, int) or not 0 <= index < len(operation.callbacks):
        return None
    function, types = operation.callbacks[index], call.result_types
    tokens = sum(isinstance(type_, TokenType) for type_ in types)

    def call_python(*values: Value) -> Any:
        arrays = [value for value in values if not isinstance(value, Token)]
        # JAX's functions take a token for each ordered effect, and return it.
        returned = function(*[Token()] * (len(values) - len(arrays)), *arrays)
        # XLA copies results into arrays of the stated types.
        typed = zip(returned[tokens:], types[tokens:], strict=True)
        results = [np.asarray(value, cast(TensorType, type_).element_type.dtype) for value, type_ in typed]
        outputs = (*[Token()] * tokens, *results)
        return outputs[0] if len(outputs) == 1 else outputs

    return call_python


class _Caller:
    """The kernel of a custom call.

    Args:
      function: the function that evaluates the call; by default the function that is registered when the
        program reaches the call.
    """

    def __init__(self, call: CustomCall, function: CustomCallFunction | None = None) -> None:
        self._call = call
        self._own_function = function
        self._registered: CustomCallFunction | None = None
        self._function: CustomCallFunction | None = None
        self._is_own = False  # hlokit's own function writes into no operand and keeps no result

    def __call__(self, *values: Value) -> Value:
        call = self._call
        function = self._find()
        try:
            if self._is_own:
                returned = function(*[_plain(value) for value in values])
                if _have_types(returned, call.result_types):
                    return returned
            else:
                if (process := current().process) is not None:
                    process.pause()
                returned = function(*[_argument(value) for value in values])
        except HlokitError:
            raise
        except Exception as error:
            message = f"the function of custom call @{call.target} raised {type(error).__name__}: {error}"
            raise EvaluationError(message) from error
        results = _results(returned, call.result_types, call.target)
        return results[0] if len(results) == 1 else results

    def _find(self) -> CustomCallFunction:
        """The currently registered function, bound to the call if it accepts `call`."""
        if self._own_function is not None:
            return self._own_function
        target = self._call.target
        registered = find_custom_call(target)
        if registered is None:
            raise UnsupportedError(
                f"no function is registered for custom call @{target}{_because(target)}; "
                f'register one with @hlokit.custom_call("{target}")'
            )
        if self._function is None or registered is not self._registered:
            self._registered = registered
            self._is_own = is_builtin(target, registered)
            call = OwnCall.of(self._call) if self._is_own else self._call
            self._function = partial(registered, call=call) if _takes_call(registered) else registered
        return self._function


def _takes_call(function: CustomCallFunction) -> bool:
    try:
        parameter = inspect.signature(function).parameters.get("call")
    except (TypeError, ValueError):  # a ufunc, or a C function without a signature
        return False
    return parameter is not None and parameter.kind in (
        parameter.KEYWORD_ONLY,
        parameter.POSITIONAL_OR_KEYWORD,
    )


def _argument(value: Value) -> Value:
    """An operand in the form for the function: a read-only array."""
    if isinstance(value, Token | tuple):
        return cast(Any, value)
    array = np.asarray(value).view()
    array.flags.writeable = False
    return array


def _plain(value: Value) -> Value:
    """An operand in the form for a function of hlokit: scalars are arrays."""
    return np.asarray(cast(Any, value)) if isinstance(value, np.generic) else value


def _have_types(returned: Any, types: Sequence[ValueType]) -> bool:
    """Whether arrays have exactly the types of the call. `_results` converts or rejects other results."""
    values = cast("Sequence[Any]", (returned,) if len(types) == 1 else returned)
    if not isinstance(values, tuple) or len(values) != len(types):
        return False
    for value, type_ in zip(values, types, strict=True):
        if not isinstance(value, np.ndarray) or not isinstance(type_, TensorType):
            return False
        array: Any = cast(Any, value)
        has_type = array.shape == type_.shape and array.dtype == type_.element_type.dtype
        if not (has_type and array.flags.aligned):
            return False
    return True


def _results(returned: Value, types: Sequence[ValueType], target: str) -> tuple[Value, ...]:
    """The values that the function returned, checked against the result types."""
    if len(types) == 1:
        return (_result(returned, types[0], f"the function of custom call @{target} must return"),)
    values = () if returned is None else returned
    if not _is_sequence_of(values, len(types)):
        got = (
            str(len(cast("Sequence[Any]", values)))
            if isinstance(values, tuple | list)
            else type(returned).__name__
        )
        raise EvaluationError(
            f"the function of custom call @{target} must return {len(types)} values, got {got}"
        )
    return tuple(
        _result(value, type_, f"the function of custom call @{target} must return as result {index}")
        for index, (value, type_) in enumerate(zip(values, types, strict=True))
    )


def _result(value: Value, type_: ValueType, must_return: str) -> Value:
    if isinstance(type_, TupleType):
        if not _is_sequence_of(value, len(type_.types)):
            raise EvaluationError(f"{must_return} a tuple of type {type_}, got {type(value).__name__}")
        return tuple(
            _result(item, item_type, must_return) for item, item_type in zip(value, type_.types, strict=True)
        )
    if not isinstance(type_, TensorType):
        return value
    if value is None:
        raise EvaluationError(f"{must_return} an array of type {type_}, got None")
    array: Any = cast(Any, value) if isinstance(value, np.generic) else aligned(np.asarray(value)).view()
    if array.dtype != type_.element_type.dtype:
        raise EvaluationError(f"{must_return} an array of type {type_}, got dtype {array.dtype}")
    if not _has_shape(array.shape, type_):
        raise EvaluationError(f"{must_return} an array of type {type_}, got shape {array.shape}")
    return array


def _is_sequence_of(value: Any, count: int) -> bool:
    return isinstance(value, tuple | list) and len(cast("Sequence[Any]", value)) == count


def _has_shape(shape: tuple[int, ...], type_: TensorType) -> bool:
    if shape == type_.shape or type_.shape is None:
        return True
    return len(shape) == type_.rank and all(
        size in (-1, actual) for size, actual in zip(type_.shape, shape, strict=True)
    )
