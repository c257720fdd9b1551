import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anonymise } from "../../../src/tools/learning/anonymise.ts";
import { codePoint } from "../../support/code-point.ts";
import { runs } from "../../support/runs.ts";

const NAMES = ["Acme Tools", "acc_01jd", "ada@lovelace.example", "ada.l", "web-shop", "Ünal"];

const IDENTIFYING: [kind: string, text: string][] = [
  ["email", "ada.lovelace+ci@mail.example.co.uk"],
  ["email", "ada@host"],
  ["url", "https://ci.acme.test:8443/job/42?token=x#y"],
  ["url", "git@github.example:acme/shop.git"],
  ["url", "ssh://ada@10.0.0.1/srv/git"],
  ["path", "/home/ada/work/shop/build.gradle"],
  ["path", "/Users/Ada/Library"],
  ["path", "~/work"],
  ["path", "~ada/.ssh/id_rsa"],
  ["path", "$HOME/.npmrc"],
  ["path", "C:\\Users\\Ada\\shop"],
  ["path", "C:/Users/Ada/shop"],
  ["path", "\\\\fileserver\\builds\\shop"],
  ["path", "%USERPROFILE%\\shop"],
  ["path", "../shop/src/index.ts"],
  ["path", "src/billing/invoice.ts"],
  ["path", "billing/Invoice.java"],
  ["path", "lovelace-labs/engine"],
  ["path", "Lovelace/engine"],
  ["path", '"/Volumes/Ada Disk/shop"'],
  ["address", "192.168.17.4"],
  ["address", "10.1.2.3:8080"],
  ["address", "2001:db8::8a2e:370:7334"],
  ["address", "fe80::1%eth0"],
  ["address", "00:1a:2b:3c:4d:5e"],
  ["host", "build-17.internal.acme"],
  ["host", "db01:5432"],
  ["host", "localhost:3000"],
  ["id", "123e4567-e89b-12d3-a456-426614174000"],
  ["id", "84317fa0c9d2e1b3"],
  ["card", "4111 1111 1111 1111"],
  ["card", "5555-5555-5555-4444"],
  ["card", "378282246310005"],
  ["card", "3782 822463 10005"],
  ["card", "4111–1111–1111–1111"],
  ["card", "2223 0031 2200 3222"],
  ["card", "4222222222222"],
  ["card", "6304 0000 0000 0000 000"],
  ["iban", "DE89 3704 0044 0532 0130 00"],
  ["iban", "GB82 WEST 1234 5698 7654 32"],
  ["phone", "+49 170 1234567"],
  ["phone", "+491701234567"],
  ["phone", "+49 (0)170/1234567"],
  ["phone", "+1 (415) 555-2671"],
  ["phone", "+1.415.555.2671"],
  ["phone", "+44 20 7946 0958"],
  ["phone", "+33 6 12 34 56 78"],
  ["phone", "+49‑30‑901820"],
  ["phone", "(+49) 30 901820"],
  ["phone", "tel. 0170 1234567"],
  ["phone", "phone: 415-555-2671"],
  ["secret", `ghp_${"a1B2".repeat(9)}`],
  ["secret", `AKIA${"A1B2C3D4".repeat(2)}`],
  ["secret", "password: hunter2"],
  ["secret", "Bearer abcdefgh1234"],
  ["name", "@ada-lovelace"],
  ["name", "user=ada"],
  ["name", "Acme Tools"],
  ["name", "acme-tools"],
  ["name", "web shop"],
  ["name", "ünal"],
];

/** Removes quotes, and words that masking may keep because they only say what the value is. */
function tell(text: string): string {
  return text.replace(/^["']|["']$|^(?:password: |Bearer |user=|tel\. |phone: )/g, "");
}

describe("anonymise()", () => {
  it.each(IDENTIFYING)("masks the %s in %s", (kind, text) => {
    const { text: masked, kinds } = anonymise(`We moved it from ${text} and it became faster.`, NAMES);
    expect(masked).not.toContain(tell(text));
    expect(masked).toMatch(/^We moved it from .*\[\w+\].* and it became faster\.$/);
    expect(kinds).toContain(kind);
  });

  it.each([
    "Cache node_modules and/or the Gradle daemon between runs: 12.5 min before, 4 min after (3x).",
    "Use Node.js 20.19 with package.json workspaces; CI/CD runs 24/7, see e.g. vite.config.ts.",
    "Split the suite 1:4 at 12:30:45, retry flaky tests twice, and drop ASP.NET from input/output tests.",
  ])("keeps text that identifies no project: %s", (text) => {
    expect(anonymise(text, NAMES)).toEqual({ text, kinds: [] });
  });

  it.each([
    "4111 1111 1111 1111 12/27",
    "4111-1111-1111-1111 123",
    "card:4111111111111111,",
    "4222222222222 123",
    "300 2223 0031 2200 3222 202",
    "4222222222222 2001:db8::8a2e:370:7334",
    "３７８２ ８２２４６３ １０００５",
  ])("masks the card number in %s", (text) => {
    const { text: masked, kinds } = anonymise(text, NAMES);
    expect(kinds).toContain("card");
    expect(masked).not.toMatch(/\d{4}/);
  });

  it.each([
    "BE68 5390 0754 7034 CASH",
    "GB82WEST12345698765432 2024",
    "SHOP DE89 3704 0044 0532 0130 00 ONLY",
  ])("masks the IBAN in %s", (text) => {
    const { text: masked, kinds } = anonymise(text, NAMES);
    expect(kinds).toEqual(["iban"]);
    expect(masked.replace("2024", "")).not.toMatch(/\d/);
  });

  it.each(["+1.415.555.2671 2001:db8::8a2e:370:7334", "+1.415.555.2671 2001", "+49 170.123.4567 (2)"])(
    "masks the phone number in %s",
    (text) => {
      const { text: masked, kinds } = anonymise(text, NAMES);
      expect(kinds).toContain("phone");
      expect(masked).not.toMatch(/\d{3}|:/);
    },
  );

  it.each([
    "From 1.2.3 to 10.0.19045 and back to v4.11.1111, 2.0.0-rc.1+20240115123 at last.",
    "At 2026-01-15 12:30:45 +0200, and +2026-01-15 12:30 again; 2024-01-15 2024-01-16, +20260115 12:30.",
    "The diff adds +2024-01-15, +1234 -5678 and +12345678 bytes: +12 345 678 lines, +1 234 567 890 ms, +123456789s.",
    "Sizes of 1024 2048 4096 8192 and 4096 1024 2048 8192 bytes; 12 000 000 000 000 rows in all.",
    "Moved by +3.14159265 and +48.8566147, from -122.4194155 to +1234.56789, or +1234.567 12.55.",
    "Seeds 4111 1111 1111 1112 and 5555-5555-5555-4445 fail; 1234 5678 9012 3456 too.",
    "Ports 8080 8081 8082 8083, took 12 15 18 20 22 25 28 s: 10-20-30-40.",
    "Call 3 of 12, mobile 2024-01-15, phone 12 of 2024; a cell 1234567 wide, commit 4111111.",
    "Ticket 123-456, build 20260115.1, AB12 tests CD34 5678.",
  ])("does not mistake counts, dates and versions for card or phone numbers: %s", (text) => {
    expect(anonymise(text, NAMES)).toEqual({ text, kinds: [] });
  });

  it("masks identifying text in any surroundings, and changes nothing the second time", () => {
    const word = fc.constantFrom("cache", "builds", "faster", "2x", "(again)", "→", "tests,", "done.");
    const secret = fc.constantFrom(...IDENTIFYING.map(([, text]) => text));
    const joint = fc.constantFrom(" ", "\n", ", ", "; ", " (", ") ", " → ");
    const part = fc.tuple(fc.oneof(word, secret), joint);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) => {
        const { text } = anonymise(parts.flat().join(""), NAMES);
        for (const [each] of parts) {
          if (IDENTIFYING.some(([, known]) => known === each)) expect(text).not.toContain(tell(each));
        }
        expect(anonymise(text, NAMES).text).toBe(text);
      }),
      { numRuns: runs(400) },
    );
  });

  it("masks identifying text with zero-width characters or look-alikes", () => {
    for (const text of [
      "ada\u200b@lovelace\u200d.example",
      "ａｄａ＠lovelace.example",
      "web\u2060-shop",
      "Acme\u00a0Tools",
    ]) {
      const { text: masked } = anonymise(`from ${text}.`, NAMES);
      expect(masked.toLowerCase()).not.toMatch(/ada|lovelace|shop|acme/);
    }
  });

  it("returns a text for any input, without catastrophic backtracking", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 4000 }), (text) => {
        expect(typeof anonymise(text, NAMES).text).toBe("string");
      }),
    );
    // A backtracking pattern would not finish on such a text.
    for (const part of ["a.", "/a", "a:", "\\a", "a@", "--", "0:", "a-", "[", "~/"])
      expect(typeof anonymise(part.repeat(2000), NAMES).text).toBe("string");
  });

  it.each(["-", "/", "\\", "~-", "+1", "a", "a."])(
    "takes no longer for each character of a long text of %j",
    (part) => {
      // In quadratic time, this would take minutes.
      expect(typeof anonymise(part.repeat(300_000), NAMES).text).toBe("string");
    },
  );

  it("masks a host that follows on the port of another", () => {
    const { text } = anonymise("From a.acme.com:80b.acme.org to c.acme.com:443_7.acme.org.", []);
    expect(text).toBe("From [host][host] to [host]_[host].");
  });

  it.each(["___", "- -", "_-_"])("does not look for the name %j, which is between any two words", (name) => {
    expect(anonymise("Run all - then _some_ ___ tests.", [name])).toEqual({
      text: "Run all - then _some_ ___ tests.",
      kinds: [],
    });
  });

  it("masks some of many names in a long text", () => {
    const names = Array.from({ length: 1000 }, (_, index) => `customer ${index} of acme`);
    const prose = "Restore the cache before the install, then run all tests. ".repeat(5000);
    const { text, kinds } = anonymise(`${prose}Ask Customer-7 of ACME, or CUSTOMER_77_OF_ACME.`, names);
    expect(text).toBe(`${prose}Ask [name], or [name].`);
    expect(kinds).toEqual(["name"]);
  });
});
