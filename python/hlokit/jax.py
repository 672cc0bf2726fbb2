"""Options of the runs of JAX's platform `hlokit` (docs/jax.md).

with hlokit.jax.options(stop_on_nan=True):
    train()

The module requires nothing of JAX.
"""

from hlokit.clients.pjrt.options import Options, options

__all__ = ["Options", "options"]
