"""Commands for people who work on hlokit: not part of the installed package."""
