import { cause, survivable, within, wrapper } from "./signature.ts";

const packages = [
  cause(
    "pip-no-version",
    "dependency_resolution",
    /(?:ERROR: )?(?:No matching distribution found for|Could not find a version that satisfies the requirement) (?<package>[\w.[\]-]+)/,
    "ERROR: No matching distribution found for flask==99.1",
    95,
  ),
  cause(
    "pip-conflict",
    "dependency_resolution",
    /ResolutionImpossible|conflicting dependencies|No solution found when resolving|SolverProblemError|because .+ depends on .+, version solving failed|(?<package>\S+) \S+ requires \S+, but you (?:have|'ll have)/i,
    "ERROR: ResolutionImpossible: for help visit the pip documentation",
    94,
  ),
  cause(
    "conda-unsolvable",
    "dependency_resolution",
    /PackagesNotFoundError|UnsatisfiableError|LibMambaUnsatisfiableError/,
    "PackagesNotFoundError: The following packages are not available from current channels:",
    94,
  ),
  cause(
    "pip-hash",
    "dependency_resolution",
    /THESE PACKAGES DO NOT MATCH THE HASHES|(?:poetry|pdm|uv)\.lock.*(?:is not up to date|out of date|needs to be updated)|pyproject\.toml changed significantly/,
    "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
    95,
  ),
  cause(
    "python-version",
    "version_mismatch",
    /requires a different Python: |requires Python ['"]?(?<version>[<>=~!\d., ]+)|Python version .* is not supported|The currently activated Python version .* is not supported/,
    "ERROR: Package 'acme' requires a different Python: 3.8.10 not in '>=3.10'",
    96,
  ),
  cause(
    "pip-wheel",
    "compile_error",
    /Failed building wheel for (?<package>[\w.-]+)|error: subprocess-exited-with-error|Building wheel for .* did not run successfully|metadata-generation-failed/,
    "ERROR: Failed building wheel for lxml",
    90,
  ),
  wrapper(
    "pip-wheels",
    "compile_error",
    /^(?:ERROR: )?Failed to build (?:one or more wheels|installable wheels|[\w.-]+$)/,
    "ERROR: Failed to build one or more wheels",
    62,
  ),
];

const tests = [
  cause(
    "pytest-assertion",
    "test_failure",
    /^E {3,}(?:AssertionError|assert |\w*Failed\b|\w+(?:\.\w+)*(?:Error|Exception)\b)/,
    "E       AssertionError: assert 90 == 91",
    92,
  ),
  cause("pytest-detail", "test_failure", /^E {3,}\S/, "E         + received 91", 62),
  cause(
    "pytest-failed-line",
    "test_failure",
    /^(?:FAILED|ERROR) (?<file>[\w./\\-]+\.py)(?:::(?<test>\S+))?(?: - .*)?$/,
    "FAILED tests/test_cart.py::test_total - assert 90 == 91",
    93,
  ),
  cause(
    "pytest-progress",
    "test_failure",
    /^(?<file>[\w./\\-]+\.py)::(?<test>\S+) (?:FAILED|ERROR)\b/,
    "tests/test_cart.py::test_total FAILED                       [ 50%]",
    84,
  ),
  cause(
    "pytest-heading",
    "test_failure",
    /^____+ (?:ERROR (?:at|collecting) )?(?<test>\S.*?) ____+$/,
    "______________ TestCart.test_total ______________",
    91,
  ),
  cause(
    "pytest-collection",
    "test_failure",
    /^!!!+ (?<test>.+?) !!!+$/,
    "!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!",
    90,
  ),
  cause(
    "unittest-heading",
    "test_failure",
    /^(?:FAIL|ERROR):? (?:\[[\d.]+s\]: )?(?<test>\w+) \([\w.]+\)/,
    "FAIL: test_total (tests.test_cart.CartTest)",
    92,
  ),
  wrapper(
    "pytest-counts",
    "test_failure",
    /^=+ .*\b[1-9]\d* (?:failed|errors?)\b.* =+$|^[1-9]\d* failed[, ].* in [\d.]+s/,
    "==== 1 failed, 11 passed in 0.12s ====",
    70,
  ),
  wrapper("unittest-counts", "test_failure", /^FAILED \((?:failures|errors)=\d+/, "FAILED (failures=1)", 70),
  wrapper(
    "tox-failed",
    "test_failure",
    /^\s*\S+: (?:FAIL code \d+|commands failed)|InvocationError for command/,
    "  py311: FAIL code 1 (2.3 seconds)",
    60,
  ),
];

const checks = [
  cause(
    "mypy",
    "type_error",
    /^(?<file>[^\s:]+\.pyi?):(?<line>\d+)(?::\d+)?: error: .*\[[\w-]+\]$/,
    "cart.py:12: error: Incompatible types in assignment  [assignment]",
    95,
  ),
  cause(
    "pyright",
    "type_error",
    /^\s*(?<file>[^\s:]+\.pyi?):(?<line>\d+):\d+ - error: /,
    '  /app/cart.py:12:5 - error: Type "str" is not assignable to "int"',
    95,
  ),
  cause(
    "flake8",
    "lint",
    /^(?<file>[^\s:]+\.pyi?):(?<line>\d+):\d+:? (?:\[?[A-Z]{1,4}\d{3,5}\]?)[: ]/,
    "./cart.py:4:1: F401 'sys' imported but unused",
    94,
  ),
  wrapper(
    "black-summary",
    "lint",
    /\d+ files? would (?:be reformatted|fail to reformat)/,
    "2 files would be reformatted.",
    62,
  ),
  cause(
    "black",
    "lint",
    /^would reformat (?<file>\S+)|Imports are incorrectly sorted/,
    "would reformat src/cart.py",
    90,
  ),
  cause(
    "mypy-summary",
    "type_error",
    /^Found [1-9]\d* errors? in \d+ files?/,
    "Found 2 errors in 1 file (checked 12 source files)",
    70,
  ),
  cause("ruff-summary", "lint", /^Found [1-9]\d* errors?\.$/, "Found 3 errors.", 66),
  cause("lintrunner-file", "lint", /^>>> (?:Lint|General linter failure)/, ">>> Lint for cart.py:", 88),
];

const runtime = survivable([
  cause(
    "python-module",
    "dependency_resolution",
    /^(?:E\s+)?ModuleNotFoundError: No module named '?(?<module>[\w.]+)|^ImportError: No module named (?<module2>[\w.]+)/,
    "ModuleNotFoundError: No module named 'flask'",
    96,
  ),
  cause(
    "python-import",
    "version_mismatch",
    /^(?:E\s+)?ImportError: cannot import name '(?<module>\w+)' from/,
    "ImportError: cannot import name 'Markup' from 'jinja2' (/venv/jinja2/__init__.py)",
    94,
  ),
  cause(
    "python-import-library",
    "missing_file",
    /^(?:E\s+)?ImportError: (?<file>\S+\.so[.\d]*): cannot open shared object file/,
    "ImportError: libGL.so.1: cannot open shared object file: No such file or directory",
    96,
  ),
  cause(
    "python-syntax",
    "compile_error",
    /^(?:E\s+)?(?:IndentationError|TabError): /,
    "IndentationError: unexpected indent",
    92,
  ),
]);

export const python = within("python", [...packages, ...tests, ...checks, ...runtime]);
