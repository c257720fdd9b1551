import { describe, expect, it } from "vitest";
import { diagnose } from "../../../../src/tools/self-healing/diagnosing/diagnose.ts";

const placeIn = (log: string) => {
  const { file, line } = diagnose({ log, exitCode: 1 }).cause ?? {};
  return line === undefined ? file : `${file}:${line}`;
};

const FAILED = "--- FAIL: TestPay (0.00s)\n";
const MESSAGE = "    pay_test.go:17: Pay() = false\n";
const ended = (of: string) => `FAIL\nFAIL\t${of}\t0.004s\nok  \tacme.test/other\t0.004s\nFAIL\n`;

describe("the place of a failed Go test", () => {
  it.each([
    ["a module without a host", "shop/internal/pay", "internal/pay/pay_test.go:17"],
    ["a module of GitHub", "github.com/acme/shop/pay", "pay/pay_test.go:17"],
    ["a later version of it", "github.com/acme/shop/v2/pay", "pay/pay_test.go:17"],
    ["the root of it", "github.com/acme/shop", "pay_test.go:17"],
    ["a module whose name cannot be told", "acme.test/shop/pay", "pay_test.go:17"],
  ])("is below its result, in the folder of the package: %s", (_, of, place) => {
    expect(placeIn(`${FAILED}${MESSAGE}${ended(of)}`)).toBe(place);
  });

  it("is that of the first failed subtest", () => {
    const parts = `    --- FAIL: TestPay/by_card (0.00s)
        pay_test.go:17: Pay() = false
    --- FAIL: TestPay/by_cash (0.00s)
        pay_test.go:29: Pay() = false
`;
    expect(placeIn(`${FAILED}${parts}${ended("shop/pay")}`)).toBe("pay/pay_test.go:17");
  });

  it("is above its result with -v, but not in the test before", () => {
    const before = "=== RUN   TestAdd\n    add_test.go:3: begins\n--- PASS: TestAdd (0.00s)\n";
    const log = `${before}=== RUN   TestPay\n=== RUN   TestPay/by_card\n${MESSAGE}${FAILED}    --- FAIL: TestPay/by_card (0.00s)\n`;
    expect(placeIn(`${log}${ended("shop/pay")}`)).toBe("pay/pay_test.go:17");
    expect(placeIn(`${before}=== RUN   TestPay\n${FAILED}${ended("shop/pay")}`)).toBeUndefined();
  });

  it("is the full path from the trace of testify", () => {
    const trace = `    pay_test.go:17: \n        \tError Trace:\t/home/jo/till/pay/pay_test.go:17\n        \tError:      \tShould be true\n`;
    expect(placeIn(`${FAILED}${trace}${ended("shop/pay")}`)).toBe("/home/jo/till/pay/pay_test.go:17");
    const above = `=== RUN   TestPay\n${trace}${FAILED}${ended("shop/pay")}`;
    expect(placeIn(above)).toBe("/home/jo/till/pay/pay_test.go:17");
  });

  it("is in the stack of a test that panicked, not in its earlier log", () => {
    const log = `=== RUN   TestPay
    pay_test.go:5: opens the till
${FAILED}panic: runtime error: index out of range [3] with length 3 [recovered]

goroutine 7 [running]:
acme.test/shop/pay.Pay(...)
	/home/jo/till/pay/pay.go:41 +0x44
`;
    expect(placeIn(`${log}${ended("acme.test/shop/pay")}`)).toBe("/home/jo/till/pay/pay.go:41");
  });
});
