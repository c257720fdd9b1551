import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { masked } from "../../../src/tools/observability/masked.ts";
import { occurrenceOf } from "../../../src/tools/observability/occurrence.ts";
import { toldBy } from "../../../src/tools/observability/sentry/event.ts";
import { codePoint } from "../../support/code-point.ts";

const JWT = `eyJ${"hbGc".repeat(5)}.eyJ${"zdWI".repeat(6)}.${"dQw4".repeat(8)}`;

describe("masked()", () => {
  it.each([
    ["password=correcthorse", "password=[masked]"],
    ['{"passwd": "correct horse"}', '{"passwd": [masked]}'],
    ["GET /reset?token=abcdef&page=2", "GET /reset?token=[masked]&page=2"],
    ["Authorization: Basic am86cGFzcw==", "Authorization: [masked]"],
    ["cookie=sid=1; theme=dark", "cookie=[masked]"],
    ["no inbox for jo@mail.example", "no inbox for [masked e-mail]"],
    ["for jo@163.example and jo@1.mail.example", "for [masked e-mail] and [masked e-mail]"],
    [`Bad token ${JWT}.`, "Bad token [masked json-web-token]."],
    [`session-${JWT}`, "session-[masked json-web-token]"],
    [`/a/${JWT}/b`, "/a/[masked json-web-token]/b"],
    ["mongodb://app:swordfish@db/app", "mongodb://app:[masked password-in-url]@db/app"],
    ["postgres://postgres:postgres@db/app", "postgres://postgres:[masked password-in-url]@db/app"],
    ["https://u:p@h/", "https://u:[masked password-in-url]@h/"],
  ])("masks the secret or e-mail address in: %s", (text, expected) => {
    expect(masked(text, 200)).toBe(expected);
  });

  it.each([
    "Cannot read properties of undefined (reading 'token')",
    "ENOENT: no such file or directory, open '/srv/app/config.json'",
    "Unexpected token < in JSON at position 0",
    "the password is wrong",
    "connect ECONNREFUSED 127.0.0.1:5432",
    "shop@1.4.0 needs react@18.2.0-rc.one",
  ])("leaves a text without secrets unchanged: %s", (text) => {
    expect(masked(text, 200)).toBe(text);
  });

  it("returns well-formed text of at most the maximum length for any input", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: codePoint, maxLength: 300 }),
        fc.integer({ min: 1, max: 100 }),
        (text, most) => {
          const shown = masked(text, most);
          expect(shown.length).toBeLessThanOrEqual(most);
          expect(shown.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});

describe("an arbitrary event", () => {
  it("yields the same occurrence each time, with a type and a time in the last 31 days", () => {
    const now = Date.UTC(2026, 0, 15);
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withSparseArray: true }),
        fc.jsonValue(),
        (any, json) => {
          for (const value of [json, { exception: any, message: any, timestamp: any, fingerprint: json }]) {
            const once = occurrenceOf(toldBy(value, now));
            expect(once).toEqual(occurrenceOf(toldBy(value, now)));
            expect(once.lastAt).toBeLessThanOrEqual(now);
            expect(once.lastAt).toBeGreaterThan(now - 31 * 24 * 60 * 60 * 1000);
            expect(once.type).not.toBe("");
          }
        },
      ),
    );
  });

  it("is read as a message if its members are nested 200,000 levels deep", () => {
    const deep = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
    for (const name of [
      "exception",
      "message",
      "fingerprint",
      "contexts",
      "request",
      "threads",
      "timestamp",
    ]) {
      expect(occurrenceOf(toldBy({ [name]: deep }, 0)).type).toBe("Message");
    }
    expect(occurrenceOf(toldBy({ exception: [deep], fingerprint: [deep] }, 0)).count).toBe(1);
  });

  it("is read by its last exception, with library calls left out of the fingerprint", () => {
    const frame = (name: string, in_app: boolean) => ({
      function: name,
      filename: `${name}.py`,
      lineno: 7,
      in_app,
    });
    const event = (...names: [string, boolean][]) => ({
      exception: {
        values: [
          { type: "KeyError", value: "'cause'" },
          {
            type: "ValueError",
            value: "no such size",
            stacktrace: { frames: names.map(([name, in_app]) => frame(name, in_app)) },
          },
        ],
      },
    });
    const one = occurrenceOf(toldBy(event(["main", true], ["handle", false], ["size", true]), 0));
    const two = occurrenceOf(toldBy(event(["main", true], ["dispatch", false], ["size", true]), 0));
    expect(one.type).toBe("ValueError");
    expect(one.stack).toBe(
      "ValueError: no such size\n    at size (size.py:7)\n    at handle (handle.py:7)\n    at main (main.py:7)\nCaused by: KeyError: 'cause'",
    );
    expect(two.fingerprint).toBe(one.fingerprint);
  });
});
