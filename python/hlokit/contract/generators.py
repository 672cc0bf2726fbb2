"""The constants of Threefry-2x32 and Philox-4x32, generators of random bits."""

from __future__ import annotations

THREEFRY_PARITY = 0x1BD11BDA
THREEFRY_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
PHILOX_MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
PHILOX_WEYL = 0x9E3779B9, 0xBB67AE85
