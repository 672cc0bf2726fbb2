"""Programs of JAX libraries: exported once, kept as portable artifacts with their arguments.

`python -m benchmarks.libraries.export` writes them; requirements.txt names the versions that it ran with.
`benchmarks.programs.libraries` reads them, and needs none of the libraries.
`benchmarks.libraries.expectations` writes XLA's results, for the tests.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
ARTIFACTS = FOLDER / "artifacts"
