"""`hlokit.prove`: proofs that two programs give the same bits for all arguments.

`proving` chooses between runs on all arguments (`exhaustive`) and runs on terms of z3 (`search`, which runs
programs of `bit_vectors`).
"""
