"""Runs JAX's own tests with JAX_PLATFORMS=hlokit and with XLA:CPU, and writes docs/clients.md."""
