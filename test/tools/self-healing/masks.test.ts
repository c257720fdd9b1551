import { describe, expect, it } from "vitest";
import { fingerprintOf, masked } from "../../../src/tools/self-healing/fingerprint.ts";

const ID = "5f2b9c1e-1111-4222-8333-444455556666";

describe("masked() and fingerprintOf()", () => {
  it.each([
    ["get https://a.test/b?c=d now", "get <url> now"],
    ["get 'git+ssh://a@b/c' now", "get '<url>' now"],
    ["(see http://a.test)", "(see <url>)"],
    ["ask ann.b+c@a-b.test.example now", "ask <address> now"],
    ["a@b", "a@b"],
    [`job ${ID} lost`, "job <id> lost"],
    [`job ${ID.toUpperCase()} lost`, "job <id> lost"],
    ["got sha512-ab+c/d== for it", "got <hash> for it"],
    ["got sha1:abcd for it", "got <hash> for it"],
    ["at 0x7FFD12 in it", "at <address> in it"],
    ["commit 0a1b2c3 is", "commit <hash> is"],
    ["commit 0a1b2c is", "commit #a#b#c is"],
    ["the facade of it", "the facade of it"],
    ["the deadbeef of it", "the deadbeef of it"],
    ["on 2026-03-04 it", "on <time> it"],
    ["on 2026-03-04T10:20 it", "on <time> it"],
    ["on 2026-03-04 10:20:30,5 it", "on <time> it"],
    ["on 2026-03-04T10:20:30.123+0100 it", "on <time> it"],
    ["on 2026-03-04T10:20:30-01:00 it", "on <time> it"],
    ["to 127.0.0.1:80 it", "to <address> it"],
    ["to 10.0.0.12 it", "to <address> it"],
    ["to [fe80:0:0:1]:80 it", "to <address> it"],
    ["open /tmp/a/b.c: no", "open <temporary>: no"],
    ["open /private/tmp/a now", "open <temporary> now"],
    ["open /var/folders/x/y now", "open <temporary> now"],
    ["open /var/tmp/x now", "open <temporary> now"],
    ["open C:\\Temp\\a.b now", "open <temporary> now"],
    ["open c:\\Windows\\Temp\\a now", "open <temporary> now"],
    ["in /home/ann/a.ts it", "in a.ts it"],
    ["in C:\\b\\a.ts it", "in a.ts it"],
    ["in ./src/a.ts it", "in a.ts it"],
    ["in ../a.ts it", "in a.ts it"],
    ["in ~/a.ts it", "in a.ts it"],
    ["in src/b/a.ts it", "in a.ts it"],
    ["in src/b/a it", "in src/b/a it"],
    ["in /home/ann/ it", "in ann it"],
    ["in '/home/a b.ts'", "in 'a b.ts'"],
    ["in (/home/a.ts:12)", "in (a.ts:#)"],
    ["@acme/tax is", "@acme/tax is"],
    ["took 1.5 s", "took # s"],
    ["took 12ms", "took #ms"],
    ["held 3,5 GiB", "held # GiB"],
    ["held 80%", "held #%"],
    ["line 12 of 3.4.5", "line # of #"],
    ["error TS2322: x", "error TS2322: x"],
    ["error E0308: x", "error E0308: x"],
    ["error AB12: x", "error AB#: x"],
    ["  a \t\n b  ", "a b"],
  ])("turn %j into %j", (message, expected) => expect(masked(message)).toBe(expected));

  it("return different fingerprints for different categories", () => {
    expect(fingerprintOf("lint", "a")).not.toBe(fingerprintOf("network", "a"));
    expect(fingerprintOf("lint", "a 1")).toBe(fingerprintOf("lint", " a  2"));
    expect(fingerprintOf("lint", "a")).toMatch(/^fp_[0-9a-f]{24}$/);
  });
});
