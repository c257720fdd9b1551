import { describe, expect, it } from "vitest";
import { diagnose } from "../../../src/tools/self-healing/diagnosing/diagnose.ts";
import { masked } from "../../../src/tools/self-healing/fingerprint.ts";

describe("a fingerprint", () => {
  it.each([
    [
      "checkouts",
      "/home/ann/shop/src/cart.ts(12,5): error TS2322: x",
      "C:\\b\\7\\shop\\src\\cart.ts(14,7): error TS2322: x",
    ],
    ["temporary files", "open /tmp/jest_rs/a1b2.json failed", "open /var/folders/xy/zz/T/q.json failed"],
    ["hashes", "bad object 47fc9030ff952f8eb7b041a39a577257a7eb7974", "bad object 0a1b2c3"],
    ["addresses", "connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED 10.4.0.7:15432"],
    ["memory", "fault at 0x7ffd1234", "fault at 0x55aa"],
    [
      "times",
      "expired at 2026-03-04T10:20:30Z after 1.2 s",
      "expired at 2025-12-31T23:59:59.123+01:00 after 15 s",
    ],
    ["ids", "job 5f2b9c1e-1111-4222-8333-444455556666 lost", "job 00000000-aaaa-4bbb-8ccc-ddddeeeeffff lost"],
    ["addresses of the web", "GET https://a.test/x?y=1 failed", "GET http://b.test:8080/z failed"],
    ["spaces", "one  two", "one two"],
  ])("does not depend on %s", (_, here, there) => {
    expect(masked(there)).toBe(masked(here));
  });

  it.each([
    ["codes", "a.ts(1,1): error TS2322: x", "a.ts(1,1): error TS2345: x"],
    ["modules", "Cannot find module '@acme/tax'", "Cannot find module '@acme/cart'"],
    ["files", "/a/cart.ts is missing", "/a/tax.ts is missing"],
    ["words", "total is wrong", "total is right"],
  ])("differs for other %s", (_, one, another) => {
    expect(masked(another)).not.toBe(masked(one));
  });

  it("is the same for one failure in the logs of two machines", () => {
    const laptop =
      "Error: Cannot find module '/home/ann/shop/dist/index.js'\n    at Function.load (node:internal/modules:12:3)\n";
    const ci = [
      "2026-03-04T10:20:30.1234567Z ##[group]Run npm start",
      "2026-03-04T10:20:31.1234567Z \u001b[31mError: Cannot find module '/home/runner/work/shop/shop/dist/index.js'\u001b[0m",
      "2026-03-04T10:20:31.2234567Z     at Function.load (node:internal/modules:14:9)",
      "2026-03-04T10:20:32.1234567Z ##[error]Process completed with exit code 1.",
    ].join("\r\n");
    expect(diagnose({ log: ci }).fingerprint).toBe(diagnose({ log: laptop }).fingerprint);
    expect(diagnose({ log: laptop }).fingerprint).toMatch(/^fp_[0-9a-f]{24}$/);
  });
});
