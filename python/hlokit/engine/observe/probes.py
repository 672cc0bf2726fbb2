"""Values that interpreter.probe stores: .npy files, and an index of these files.

A line of `index.csv` is `probe_id,type,path`. The names of the files are numbers, since not every probe id is
a valid file name. The StableHLO project's tools can read the files: dtypes that NumPy lacks are stored as
integers, narrow integers as bytes and narrow floats as their bits.
"""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.display.printable import printable_line
from hlokit.errors import EvaluationError
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.types import TensorType

INDEX = "index.csv"

Array = npt.NDArray[Any]


class Probes:
    """The probes of one run. Processes may share the probes; lines are in the order of storing.

    Args:
      directory: the directory for files and index; the index of an earlier run is removed.

    Raises:
      EvaluationError: the directory is not writable.
    """

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._lock = threading.Lock()
        self._count = 0
        self._index = os.path.join(directory, INDEX)
        try:
            os.makedirs(directory, exist_ok=True)
            if os.path.exists(self._index):
                os.remove(self._index)
        except OSError as error:
            raise self._failure(error) from None

    def store(self, probe_id: str, value: Any, type_: TensorType) -> None:
        """Store a value.

        Raises:
          EvaluationError: the file or the index cannot be written.
        """
        array = np.asarray(value)
        probe_id = _spelled(probe_id)
        shown = TensorType(array.shape, type_.element_type)
        with self._lock:
            self._count += 1
            path = os.path.join(self._directory, f"probe{self._count}.npy")
            try:
                np.save(path, _stored(array, type_.element_type))
                with open(self._index, "a", encoding="utf-8") as index:
                    index.write(f"{probe_id},{shown},{path}\n")
            except OSError as error:
                raise self._failure(error) from None

    def load(self, probe_id: str, iteration: int, element_type: ElementType) -> tuple[str, Array]:
        """The type and the value that a probe stored the `iteration`-th time, from 0.

        Raises:
          EvaluationError: the probe stored fewer values.
        """
        probe_id = _spelled(probe_id)
        try:
            with open(self._index, encoding="utf-8") as index:
                lines = [line.rstrip("\n") for line in index if line.startswith(f"{probe_id},tensor<")]
            if iteration >= len(lines):
                times = f"{len(lines)} times" if len(lines) != 1 else "once"
                raise EvaluationError(f"probe {probe_id} stored {times}, not {iteration + 1}")
            spelled, _, path = lines[iteration].removeprefix(f"{probe_id},").partition(">,")
            return f"{spelled}>", _loaded(np.load(path, allow_pickle=False), element_type)
        except FileNotFoundError:
            raise EvaluationError(f"probe {probe_id} stored nothing") from None
        except (OSError, ValueError, EOFError) as error:
            raise EvaluationError(f"the values of probe {probe_id} cannot be read: {error}") from None

    def _failure(self, error: OSError) -> EvaluationError:
        reason = (error.strerror or str(error)).lower()
        return EvaluationError(f"cannot store probes in '{self._directory}': {reason}")


def _spelled(probe_id: str) -> str:
    """A probe id in the form of the index: on one line, without commas."""
    return printable_line(probe_id).replace(",", "\\2C")


def _stored(array: Array, element_type: ElementType) -> Array:
    if element_type.dtype.isbuiltin == 1:
        return array
    if element_type.is_narrow_integer:
        return array.astype(np.int8 if element_type.kind is Kind.SIGNED else np.uint8)
    return np.ascontiguousarray(array).view(element_type.bits_dtype).reshape(array.shape)


def _loaded(array: Array, element_type: ElementType) -> Array:
    if array.dtype == element_type.dtype:
        return array
    if element_type.is_narrow_integer:
        return array.astype(element_type.dtype)
    if array.dtype.itemsize != element_type.dtype.itemsize:
        raise ValueError(f"dtype {array.dtype} does not hold {element_type}")
    return array.view(element_type.dtype)
