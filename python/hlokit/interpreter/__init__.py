"""Registry, plan and executors."""
