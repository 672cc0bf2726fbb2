"""`python -m hlokit` is the command `hlokit`."""

from hlokit.cli import hlokit

if __name__ == "__main__":
    raise SystemExit(hlokit())
