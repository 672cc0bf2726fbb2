"""The check dialect: operations and custom calls by which a test program checks itself.

Importing this package registers them.
"""

from hlokit.checks import custom_calls, ops

__all__ = ["custom_calls", "ops"]
