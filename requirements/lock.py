"""Writes the hashed locks in this folder from pyproject.toml.

One lock for the dependencies (base), one for each extra, one for each dependency group (build, dev); each is
constrained by those before it, so that all of them can be installed together. A lock holds no index address:
it installs from whichever index pip is set up to use. Options are passed on to pip-compile; `--upgrade` takes
the newest versions, without it present pins stay where they can.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
COMPILE = (
    *(sys.executable, "-m", "piptools", "compile", "--quiet"),
    *("--generate-hashes", "--allow-unsafe", "--strip-extras", "--no-build-isolation"),
    *("--no-emit-index-url", "--no-emit-trusted-host", "--no-emit-find-links"),
)


def main(options: list[str]) -> None:
    """Write all locks.

    Raises:
        subprocess.CalledProcessError: pip-compile found no set of versions that fits.
    """
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = pyproject["project"].get("optional-dependencies", {})
    groups = pyproject["dependency-groups"]

    constraints: list[str] = []
    for name in ("base", *extras, *groups):
        lock = f"requirements/{name}.txt"
        print(lock, flush=True)
        extra = ["--extra", name] if name in extras else []
        source = "-" if name in groups else "pyproject.toml"
        subprocess.run(
            [*COMPILE, *options, *constraints, *extra, "--output-file", lock, source],
            cwd=ROOT,
            env=os.environ | {"CUSTOM_COMPILE_COMMAND": "make lock"},
            input="\n".join(groups.get(name, [])),
            text=True,
            check=True,
        )
        constraints += ["--constraint", lock]


if __name__ == "__main__":
    main(sys.argv[1:])
