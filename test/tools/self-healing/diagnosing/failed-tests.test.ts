import { describe, expect, it } from "vitest";
import { diagnose } from "../../../../src/tools/self-healing/diagnosing/diagnose.ts";

/** What three tests say in Mocha's report: one throws, one compares, one takes too long. */
const MOCHA = {
  throws: [
    "is typed:",
    "     TypeError: Cannot read properties of null (reading 'total')",
    "      at Context.<anonymous> (cart.spec.js:3:31)",
  ],
  compares: [
    "adds the tax:",
    "",
    "      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
    "",
    "40 !== 42",
    "",
    "      at Context.<anonymous> (cart.spec.js:4:37)",
  ],
  waits: [
    "waits:",
    '     Error: Timeout of 200ms exceeded. For async tests and hooks, ensure "done()" is called (/home/dev/cart.spec.js)',
    "      at listOnTimeout (node:internal/timers:581:17)",
  ],
};

function mocha(...tests: (keyof typeof MOCHA)[]): string {
  const reports = tests.map((name, at) =>
    [`  ${at + 1}) cart`, `       ${MOCHA[name].join("\n")}`, ""].join("\n"),
  );
  const list = tests.map((name, at) => `    ${at + 1}) ${MOCHA[name][0]?.slice(0, -1)}`);
  return ["  cart", ...list, "", "  0 passing (206ms)", `  ${tests.length} failing`, "", ...reports].join(
    "\n",
  );
}

describe("of several failed tests, the first", () => {
  it.each([
    [["compares", "waits"], "AssertionError", "test_failure", "cart.spec.js:4"],
    [["waits", "compares"], "Timeout of 200ms", "timeout", "/home/dev/cart.spec.js:"],
    [["throws", "compares", "waits"], "TypeError", "test_failure", "cart.spec.js:3"],
    [["throws"], "TypeError", "test_failure", "cart.spec.js:3"],
  ] as const)("is the cause in Mocha's report of one that %s", (tests, cause, category, place) => {
    const found = diagnose({ log: mocha(...tests), command: "npx mocha", exitCode: tests.length });
    expect(found.cause?.message).toContain(cause);
    expect(found.category).toBe(category);
    expect(`${found.cause?.file}:${found.cause?.line ?? ""}`).toBe(place);
  });

  it.each([
    [
      "Jest",
      'FAIL ./cart.test.js\n  ● cart › adds the tax\n\n    expect(received).toBe(expected)\n\n      at Object.toBe (cart.test.js:6:16)\n\n  ● cart › waits\n\n    thrown: "Exceeded timeout of 200 ms for a test.\n\n      at it (cart.test.js:8:3)\n\nTests:       2 failed, 2 total',
      "● cart › adds the tax",
    ],
    [
      "Vitest",
      " FAIL  cart.test.mjs > cart > waits\nError: Test timed out in 200ms.\n ❯ cart.test.mjs:3:3\n\n⎯⎯⎯[1/2]⎯\n\n FAIL  cart.test.mjs > cart > adds the tax\nAssertionError: expected 40 to be 42\n ❯ cart.test.mjs:7:16\n\n⎯⎯⎯[2/2]⎯\n\n      Tests  2 failed (2)",
      "Test timed out",
    ],
    [
      "AVA",
      "  ✘ [fail]: adds the tax\n  ✘ [fail]: waits Test timeout exceeded\n  ─\n\n  adds the tax\n\n  test.mjs:3\n\n  waits\n\n  Error: Test timeout exceeded\n\n  ─\n\n  2 tests failed",
      "adds the tax",
    ],
    [
      "Go",
      "--- FAIL: TestTax (0.00s)\n    cart_test.go:9: got 40, want 42\n--- FAIL: TestWaits (0.00s)\n    cart_test.go:16: context deadline exceeded\nFAIL\nFAIL\tacme.test/cart\t0.002s",
      "TestTax",
    ],
    [
      "unittest",
      'ERROR: test_typed (test_cart.Cart.test_typed)\n-----\nTraceback (most recent call last):\n  File "/home/dev/test_cart.py", line 5, in test_typed\nAttributeError: it has no total\n\n=====\nFAIL: test_tax (test_cart.Cart.test_tax)\n-----\nTraceback (most recent call last):\n  File "/home/dev/test_cart.py", line 8, in test_tax\nAssertionError: 40 != 42\n\nFAILED (failures=1, errors=1)',
      "test_typed",
    ],
    [
      "Cargo",
      "---- tests::tax stdout ----\n\nthread 'tests::tax' panicked at src/lib.rs:5:9:\nassertion `left == right` failed\n\n---- tests::waits stdout ----\n\nthread 'tests::waits' panicked at src/lib.rs:13:9:\nthe deadline has elapsed: timed out\n\ntest result: FAILED. 0 passed; 2 failed",
      "tests::tax",
    ],
    [
      "Node",
      "TAP version 13\nnot ok 1 - adds the tax\n  ---\n  location: '/home/dev/cart.test.js:3:1'\n  ...\nnot ok 2 - waits\n  ---\n  error: 'test timed out after 200ms'\n  ...\n# fail 2",
      "not ok 1 - adds the tax",
    ],
  ])("is the cause in the report of %s", (_, log, cause) => {
    expect(diagnose({ log, exitCode: 1 }).cause?.message).toContain(cause);
  });

  it("is not, if a disk is full in another one", () => {
    const log = mocha("compares", "throws").replace(
      "TypeError: Cannot read",
      "Error: ENOSPC: no space left on device, read",
    );
    expect(diagnose({ log, exitCode: 2 }).category).toBe("disk_full");
  });

  it("is not, if something fails after their failures were counted", () => {
    const log = `  ● cart › a\n\n    expect(1).toBe(2)\n\n  ● cart › b\n\n    expect(1).toBe(2)\n\nTests:       2 failed, 2 total\nfatal: unable to access 'https://git.acme.test/shop.git/': Could not resolve host: git.acme.test`;
    expect(diagnose({ log, exitCode: 1 }).category).toBe("network");
  });
});

describe("the name of a test", () => {
  it.each([
    "  ● cart › reports permission denied to the buyer\n\n    expect(received).toBe(expected)\n\n      at Object.toBe (cart.test.js:6:16)",
    "  ✕ tries again when the connection was refused (5 ms)",
    " FAIL  cart.test.ts > cart > says ENOSPC, no space left on device\nAssertionError: expected 1 to be 2",
  ])("says nothing of why it failed: %s", (log) => {
    expect(diagnose({ log: `${log}\n\nTests:       1 failed, 1 total`, exitCode: 1 }).category).toBe(
      "test_failure",
    );
  });

  it.each([
    `  cart
    1) reports permission denied

  1 failing

  1) cart
       reports permission denied:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
      at Context.<anonymous> (cart.spec.js:4:37)`,
    `Failures:
1) cart reports permission denied
  Message:
    Expected 1 to be 2.
  Stack:
        at UserContext.<anonymous> (/home/dev/cart.spec.js:1:80)

1 spec, 1 failure`,
    `  1) cart reports no space left on device
     Failure/Error: expect(1).to eq(2)

1 example, 1 failure

Failed examples:

rspec ./spec/cart_spec.rb:2 # cart reports no space left on device`,
  ])("says nothing where the tests are numbered: %s", (log) => {
    expect(diagnose({ log, exitCode: 1 }).category).toBe("test_failure");
  });

  it("is apart from what a line says besides", () => {
    const log =
      "FAILED test_cart.py::test_pay - OSError: [Errno 28] No space left on device\n=== 1 failed in 1.2s ===";
    expect(diagnose({ log, exitCode: 1 }).category).toBe("disk_full");
  });
});
