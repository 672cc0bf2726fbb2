"""Type inference and verification for front ends, in Python and through `hlokit serve`.

`inference.py` infers result types, with `operations.py` (the parts of an operation), `spelling.py` (types),
`attributes.py`, `regions.py`, and `guards.py`, which rejects operations that would crash the bindings.
`verification.py` finds all errors of a program with the help of `masking.py`. Both share the context of
`contexts.py`. `protocol.py` turns JSON requests into answers; `serving.py` is the loop of `hlokit serve`,
and `workers.py` its worker process.
"""

from hlokit.tools.service.inference import infer
from hlokit.tools.service.verification import verify

__all__ = ["infer", "verify"]
