import { cause, survivable, within, wrapper } from "./signature.ts";

export const nodeTests = within("node", [
  cause("jest-heading", "test_failure", /^\s+● (?!Console$)(?<test>\S.*)/, "  ● cart › adds the tax", 92),
  cause(
    "test-mark",
    "test_failure",
    /^\s*(?:✕|✗|✖|×|✘)\s+(?:\[\w+\] › )?(?!\d+ problems?)(?<test>\S.*?)(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$/,
    "  ✕ adds the tax (5 ms)",
    86,
  ),
  cause(
    "tap-not-ok",
    "test_failure",
    /^\s*not ok \d+ (?:- )?(?!.*# (?:TODO|SKIP))(?<test>.*)/,
    "not ok 1 - adds the tax",
    90,
  ),
  cause(
    "vitest-fail",
    "test_failure",
    /^\s*(?:FAIL|❯ FAIL)\s+(?<file>\S+\.\w+)(?: > (?<test>.+)| \[ .* \])$/,
    " FAIL  test/cart.test.ts > adds the tax",
    92,
  ),
  cause(
    "jest-fail-file",
    "test_failure",
    /^\s*FAIL\s+(?:\S+ )?(?<file>\S+\.[cm]?[jt]sx?)(?: \(.*\))?$/,
    "FAIL test/cart.test.ts",
    80,
  ),
  cause(
    "test-time-limit",
    "timeout",
    /Exceeded timeout of \d+ ?ms|Test timed out in \d+ ?ms|Timeout of \d+ ?ms exceeded|Test timeout of \d+ ?ms exceeded|TestTimeoutError/,
    'thrown: "Exceeded timeout of 5000 ms for a test.',
    95,
  ),
  cause(
    "coverage-threshold",
    "test_failure",
    /coverage threshold for .+ not met|Coverage for \w+ \([\d.]+%\) does not meet|FAIL Required test coverage of [\d.]+% not reached/,
    'Jest: "global" coverage threshold for branches (100%) not met: 95.05%',
    94,
  ),
  cause("snapshot-obsolete", "test_failure", /\d+ snapshots? failed/, " › 1 snapshot failed.", 60),
  wrapper(
    "jest-counts",
    "test_failure",
    /^\s*(?:Tests?|Test Suites?|Test Files|Suites):?\s+(?:\d+ \w+[,|] ?)*[1-9]\d* failed\b/,
    "Tests:       1 failed, 11 passed, 12 total",
    70,
  ),
  wrapper("mocha-counts", "test_failure", /^\s*[1-9]\d* failing$/, "  2 failing", 70),
  wrapper("node-test-counts", "test_failure", /^(?:#|ℹ) fail [1-9]\d*$/, "# fail 1", 70),
  ...survivable([
    cause(
      "flaky-tests",
      "flaky",
      /^\s*[1-9]\d* flaky$|Flakes: [1-9]\d*\b|Flaky tests? detected/i,
      "  1 flaky",
      60,
    ),
  ]),
]);
