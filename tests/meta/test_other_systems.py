"""All modules import on Windows: no module uses an attribute at import that only Unix has."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Runs in a process of its own: it removes attributes that Windows lacks, after everything else has been imported.
_SCRIPT = """
import importlib, importlib.util, mmap, os, pkgutil, select, signal, sys
import hlokit

names = sorted(module.name for module in pkgutil.walk_packages(hlokit.__path__, "hlokit."))
# `__main__` runs; an adapter registers itself with Model Explorer, once; a library is no module.
names = [name for name in names if not name.endswith(("__main__", "model_explorer.main", "libhlokit_pjrt"))]
# `make test-deep` installs the first two, nothing the third.
if importlib.util.find_spec("mpi4py") is None:
    names = [name for name in names if ".grid.mpi." not in name]
if importlib.util.find_spec("mcp") is None:
    names = [name for name in names if ".clients.mcp." not in name]
if importlib.util.find_spec("torch_xla") is None:
    names.remove("hlokit.clients.pjrt.torch_xla")
for name in names:
    importlib.import_module(name)
extensions = ("hlokit._bytecode", "hlokit._kernels", "hlokit._pjrt")
for name in list(sys.modules):
    if name.partition(".")[0] == "hlokit" and name not in extensions:
        del sys.modules[name]
sys.modules.pop("jaxlib.mlir.dialects.vhlo", None)  # hlokit's own stand-in
for name in "fcntl grp posix pty pwd resource syslog termios tty".split():
    sys.modules[name] = None
missing = {
    mmap: "MAP_ANONYMOUS MAP_PRIVATE MAP_SHARED PROT_EXEC PROT_READ PROT_WRITE",
    os: "fork forkpty getegid geteuid getgid getpgid getuid killpg mkfifo posix_spawn posix_spawnp "
    "register_at_fork sched_getaffinity sched_yield setsid sysconf uname wait wait3 wait4 waitid WNOHANG "
    "WIFSIGNALED WTERMSIG O_NONBLOCK",
    select: "poll epoll",
    signal: "SIGALRM SIGBUS SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGUSR1 SIGUSR2 SIG_BLOCK SIG_SETMASK alarm "
    "pthread_kill pthread_sigmask setitimer",
}
for module, attributes in missing.items():
    for name in attributes.split():
        if hasattr(module, name):
            delattr(module, name)
sys.platform = "win32"
for name in names:
    try:
        importlib.import_module(name)
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}")
print(len(names), "modules")
"""


@pytest.mark.deep  # imports all modules twice
def test_all_modules_import_without_attributes_of_unix() -> None:
    done = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *failed, count = done.stdout.splitlines()
    assert failed == []
    assert int(count.removesuffix(" modules")) > 300
