"""`python -m hlokit.selftest`: a test of the installation, of some 20 seconds."""

from hlokit.cli.selftest import main

if __name__ == "__main__":
    raise SystemExit(main())
