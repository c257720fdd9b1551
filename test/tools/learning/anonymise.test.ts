import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anonymise } from "../../../src/tools/learning/anonymise.ts";
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

/** What of it may stand: the words that say what it was. */
function tell(text: string): string {
  return text.replace(/^["']|["']$|^(?:password: |Bearer |user=)/g, "");
}

describe("what is shared", () => {
  it.each(IDENTIFYING)("says nothing of the %s in %s", (kind, text) => {
    const { text: masked, kinds } = anonymise(`We moved it from ${text} and it became faster.`, NAMES);
    expect(masked).not.toContain(tell(text));
    expect(masked).toMatch(/^We moved it from .*\[\w+\].* and it became faster\.$/);
    expect(kinds).toContain(kind);
  });

  it.each([
    "Cache node_modules and/or the Gradle daemon between runs: 12.5 min before, 4 min after (3x).",
    "Use Node.js 20.19 with package.json workspaces; CI/CD runs 24/7, see e.g. vite.config.ts.",
    "Split the suite 1:4 at 12:30:45, retry flaky tests twice, and drop ASP.NET from input/output tests.",
  ])("keeps what every project could say: %s", (text) => {
    expect(anonymise(text, NAMES)).toEqual({ text, kinds: [] });
  });

  it("masks them wherever they stand, in any company, and finds nothing more the second time", () => {
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

  it("masks what marks without a width and look-alikes try to hide", () => {
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

  it("takes any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 4000 }), (text) => {
        expect(typeof anonymise(text, NAMES).text).toBe("string");
      }),
    );
    // What tries every way through such a text does not come to an end.
    for (const part of ["a.", "/a", "a:", "\\a", "a@", "--", "0:", "a-", "[", "~/"])
      expect(typeof anonymise(part.repeat(2000), NAMES).text).toBe("string");
  });
});
