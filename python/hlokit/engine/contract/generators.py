"""The constants of Threefry-2x32, the generator of random bits of JAX."""

from __future__ import annotations

THREEFRY_PARITY = 0x1BD11BDA
THREEFRY_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
