"""A plugin of PJRT's C API: frameworks load this library and call GetPjrtApi."""

def api_version() -> tuple[int, int]:
    """The version of the C API: major and minor."""

def run_beside_callers(is_on: bool) -> None:
    """Whether long runs go to a thread beside their caller, as they do at first."""

def wait_for_runs() -> None:
    """Wait until no run is under way beside its caller."""
