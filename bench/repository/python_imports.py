"""The edges that Python's own parser and finder see: python3 python_imports.py DIRECTORY OUTPUT.

A file's imports are looked up where its outermost package lies, then in the directories of the projects that it is
in and in their `src`. Names of the standard library lead out of the repository.
"""

import ast
import os
import subprocess
import sys
from importlib.machinery import PathFinder

TOP = os.path.realpath(sys.argv[1])
LISTED = subprocess.check_output(["git", "-C", TOP, "ls-files", "-z"], text=True).split("\0")
PROJECTS = sorted(
    {
        os.path.dirname(os.path.join(TOP, path))
        for path in LISTED
        if os.path.basename(path) in ("pyproject.toml", "setup.py", "setup.cfg")
    },
    key=len,
    reverse=True,
)


def find(name, places):
    spec = None
    for part in name.split("."):
        if places is None:
            return None
        spec = PathFinder.find_spec(part, places)
        if spec is None:
            return None
        found = spec.submodule_search_locations
        places = None if found is None else list(found)
    return spec


def file_of(spec):
    path = spec.origin if spec else None
    inside = path and os.path.isfile(path) and os.path.realpath(path).startswith(TOP + os.sep)
    return os.path.relpath(path, TOP) if inside else None


def roots_of(path):
    at = os.path.dirname(path)
    while os.path.isfile(os.path.join(at, "__init__.py")):
        at = os.path.dirname(at)
    own = [place for project in PROJECTS if path.startswith(project + os.sep) for place in (project + "/src", project)]
    return [at, *own]


def targets(node, path, roots):
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.split(".")[0] not in sys.stdlib_module_names:
                yield file_of(find(alias.name, roots))
        return
    if node.level:
        places = os.path.dirname(path)
        for _ in range(node.level - 1):
            places = os.path.dirname(places)
        places, name = os.path.split(os.path.join(places, *(node.module or "").split(".")).rstrip(os.sep))
        spec = PathFinder.find_spec(name, [places])
    elif node.module.split(".")[0] in sys.stdlib_module_names:
        return
    else:
        spec = find(node.module, roots)
    inner = list(spec.submodule_search_locations or []) if spec else []
    for alias in node.names:
        submodule = file_of(PathFinder.find_spec(alias.name, inner)) if inner and alias.name != "*" else None
        yield submodule or file_of(spec)


edges = set()
for listed in LISTED:
    path = os.path.join(TOP, listed)
    if not listed.endswith(".py") or os.path.islink(path) or not os.path.isfile(path):
        continue
    try:
        tree = ast.parse(open(path, "rb").read())
    except (SyntaxError, ValueError):
        continue
    roots = roots_of(path)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            edges.update((listed, target) for target in targets(node, path, roots) if target and target != listed)
open(sys.argv[2], "w").write("\n".join("\t".join(edge) for edge in edges))
