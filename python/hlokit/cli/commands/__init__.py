"""The subcommands of `hlokit`, one module per subcommand: its flags, its help, and what it does."""
