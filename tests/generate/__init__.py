"""Random programs: valid by construction, the same for the same seed.

`generate(seed, profile)` returns a program: its text, its arguments, and its values. In reading order:

- `values.py`: element types, values, programs; the known properties of a value's elements.
- `literals.py`, `layouts.py`: elements of constants and arguments, special values among them; arguments in memory.
- `builder.py`: the growing program, its material (`Material`), nested regions.
- `elementwise.py`, `shapes.py`, `products.py`, `regions.py`, `rows.py`, `control_flow.py`, `simplifiable.py`: steps.
- `profiles.py`: which steps, types and shapes a program of one purpose has.
- `dynamic.py`: single operations of other programs, with unknown dimensions.
- `long.py`: programs of thousands of operations in a given form, with locations, for benchmarks of comparisons.
"""

from __future__ import annotations

from tests.generate.profiles import PROFILES, generate
from tests.generate.values import Program

__all__ = ["PROFILES", "Program", "generate"]
