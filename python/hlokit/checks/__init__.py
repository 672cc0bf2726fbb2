"""The check dialect: operations and custom calls by which a test program checks itself."""

from hlokit.interpreter.homes import has_custom_calls, has_operations

has_operations(__name__, {"ops": "check.*"})
has_custom_calls(__name__, ("custom_calls",))
