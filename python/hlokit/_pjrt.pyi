"""A plugin of PJRT's C API: frameworks load this library and call GetPjrtApi."""

def api_version() -> tuple[int, int]:
    """The version of the C API: major and minor."""
