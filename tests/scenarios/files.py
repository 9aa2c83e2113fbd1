"""The scenario files of this folder."""

from pathlib import Path
from typing import Final

FILES: Final = sorted(Path(__file__).parent.glob("*.toml"))
