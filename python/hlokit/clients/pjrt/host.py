"""What the extension `hlokit._pjrt` calls: compilation, and the errors of runs."""

from __future__ import annotations

import os
import traceback
from typing import TYPE_CHECKING, Any

from hlokit.clients.pjrt import element_types
from hlokit.errors import (
    ArgumentError,
    HlokitError,
    ParseError,
    ResourceError,
    UnsupportedError,
    VerificationError,
    VersionError,
    lacks_memory,
)

if TYPE_CHECKING:
    from hlokit.clients.pjrt.executables import Executable

DTYPES = element_types.DTYPES
# The variable with the number of devices.
DEVICES = "HLOKIT_DEVICES"
_MOST_DEVICES = 4096
# Codes of errors: `PJRT_Error_Code`.
_CANCELLED, _INVALID_ARGUMENT, _RESOURCE_EXHAUSTED, _UNIMPLEMENTED, _INTERNAL = 1, 3, 8, 12, 13
_CODES: tuple[tuple[type[BaseException], int], ...] = (
    (ArgumentError, _INVALID_ARGUMENT),
    (ParseError, _INVALID_ARGUMENT),
    (VerificationError, _INVALID_ARGUMENT),
    (VersionError, _INVALID_ARGUMENT),
    (UnsupportedError, _UNIMPLEMENTED),
    (ResourceError, _RESOURCE_EXHAUSTED),
    (MemoryError, _RESOURCE_EXHAUSTED),
)


class Interrupted(BaseException):
    """Ends a run whose results nobody can see: the framework deleted their buffers, as after control-C."""


def compile_program(code: bytes, form: str, options: bytes) -> Executable:
    """The executable of a program.

    Args:
      code: MLIR text or bytecode, a portable artifact, or an HLO proto.
      form: PJRT's name of the format: `mlir`, `hlo` or `hlo_with_config`.
      options: a serialized `CompileOptionsProto`.

    Raises:
      HlokitError: as `hlokit.load`.
    """
    # JAX makes a client in every process that has hlokit installed; few compile programs with it.
    from hlokit.clients.pjrt.executables import Executable

    return Executable.compiled(code, form, options)


def deserialize(data: bytes, options: bytes | None) -> Executable:
    """The executable that `Executable.serialize` wrote, perhaps with other compile options."""
    from hlokit.clients.pjrt.executables import Executable

    return Executable.deserialized(data, options)


def describe(error: BaseException) -> tuple[int, str]:
    """The code and the message of an error for the framework."""
    if isinstance(error, KeyboardInterrupt | Interrupted):
        return _CANCELLED, "interrupted (control-C)"
    code = next((code for kind, code in _CODES if isinstance(error, kind)), _INTERNAL)
    if not isinstance(error, HlokitError):
        return code, "".join(traceback.format_exception(error)).strip()
    cause = error.__cause__
    if cause is None:
        return code, str(error)
    if lacks_memory(cause):
        return _RESOURCE_EXHAUSTED, str(error)
    # Of a function of the user, such as a callback.
    return code, f"{error}\n{''.join(traceback.format_exception(cause)).strip()}"


def device_count(asked: int | None) -> int:
    """The number of devices of a client: what the framework asks for, else HLOKIT_DEVICES, else 1.

    Raises:
      ArgumentError: it is not a number from 1 to 4096.
    """
    text = os.environ.get(DEVICES) or "1" if asked is None else str(asked)
    is_short = len(text) <= len(str(_MOST_DEVICES))  # Python converts no text of thousands of digits
    if not is_short or not text.isdecimal() or not 1 <= int(text) <= _MOST_DEVICES:
        what = DEVICES if asked is None else "option devices"
        raise ArgumentError(f"{what} must be a number from 1 to {_MOST_DEVICES}, got {text:.40}")
    return int(text)


def platform_version() -> str:
    """The version of hlokit, and of the bindings."""
    import hlokit
    from hlokit.mlir.provider.versions import provider_version, stablehlo_version

    return f"hlokit {hlokit.__version__} ({provider_version()}, StableHLO {stablehlo_version()})"


def stablehlo_versions() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The newest and the oldest version of StableHLO that programs may have."""
    from hlokit.mlir.provider.bindings import stablehlo

    versions: Any = (stablehlo.get_current_version(), stablehlo.get_minimum_version())
    newest, oldest = (tuple(map(int, str(version).split("."))) for version in versions)
    return newest, oldest
