"""The longer subcommands of `hlokit`, one module per subcommand."""
