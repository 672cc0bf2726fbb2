"""The check dialect: operations and custom calls of self-checking test programs.

`rules` defines the agreement of two values, `report` compares values and describes mismatches, `ops` has the
operations and `custom_calls` the custom calls.
"""

from hlokit.engine.contract.lazy_modules import register_custom_calls_lazily

register_custom_calls_lazily(__name__, ("custom_calls",))
