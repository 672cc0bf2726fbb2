"""Random programs: valid by construction, the same for the same seed.

`generate(seed, profile)` gives a program: its text, arguments for it, and what it computes. In reading order:

- `values.py`: element types, values, programs; what is known of a value's elements.
- `literals.py`, `layouts.py`: elements of constants and arguments, special values among them; arguments in memory.
- `builder.py`: the program as it grows, what it is made of (`Material`), regions in regions.
- `elementwise.py`, `shapes.py`, `products.py`, `regions.py`, `rows.py`, `control_flow.py`, `simplifiable.py`: steps.
- `profiles.py`: which steps, types and shapes a program of one purpose has.
"""

from __future__ import annotations

from tests.generate.profiles import PROFILES, generate
from tests.generate.values import Program

__all__ = ["PROFILES", "Program", "generate"]
