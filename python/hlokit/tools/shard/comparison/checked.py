"""`Check`: what a comparison of a sharded run with that of the whole program says."""

from __future__ import annotations

from dataclasses import dataclass

from hlokit.display.shown import Shown
from hlokit.errors import EvaluationError, for_callers
from hlokit.tools.shard.comparison.checking import Compared
from hlokit.tools.shard.partitioners.partition import PartitionerFailed, other_partitioner

# The text of a check shows this many operations that end the proof of a bound.
_MOST_OPEN = 3
# The operation of a `shard_map`, whose body says what each device computes.
_OWN = "sdy.manual_computation"


@dataclass(frozen=True, slots=True, repr=False)
class Check(Shown):
    """A sharded run compared with the run of the whole program.

    Attributes:
      compared: the comparison of each result.
      partitioner: the partitioner that made the program.
      operation: the operation with the first wrong value; "" if it was not found.
      open: the reason for the lack of a proven bound, for each operation that ends the proof.
    """

    compared: tuple[Compared, ...]
    partitioner: str
    operation: str = ""
    open: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool:
        return all(result.is_right and result.disagree is None for result in self.compared)

    @property
    def is_own_fault(self) -> bool:
        """Whether a `shard_map` of the program itself gives devices other values where it declares copies."""
        has_right_values = all(result.is_right for result in self.compared)
        return not self.is_right and has_right_values and self.operation.startswith(_OWN)

    def __str__(self) -> str:
        verdict = "right" if self.is_right else f"WRONG, made by {self.partitioner}"
        if self.is_own_fault:
            verdict = "WRONG, as the program itself is"
        if self.operation:
            verdict += f": first at {self.operation}"
        lines = [f"compared with the whole program: {verdict}", *map(str, self.compared)]
        if any(not result.is_same and not result.is_proven for result in self.compared):
            lines += [f"no proven bound: {reason}" for reason in self.open[:_MOST_OPEN]]
        if self.is_own_fault:
            lines.append("the shard_map has no collective over the axes along which its result is one value")
        elif not self.is_right:
            lines.append(other_partitioner(self.partitioner))
        return "\n  ".join(lines)

    @for_callers
    def require(self) -> None:
        """
        Raises:
          PartitionerFailed: a result is wrong.
          EvaluationError: a `shard_map` of the program gives copies different values, whatever partitions it.
        """
        if not self.is_right:
            bad = (one for one in self.compared if not one.is_right or one.disagree is not None)
            wrong = list(map(str, bad))
            if self.is_own_fault:
                raise EvaluationError(str(self))
            raise PartitionerFailed(self.partitioner, "wrong", "", "; ".join(wrong[:3]), self.operation)
