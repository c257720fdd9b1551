import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fitted, isBinary, numbered } from "../../../../src/cli/tools/diagnose/fit.ts";
import type { Diagnosis } from "../../../../src/cli/tools/diagnose/report.ts";

const LOG = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}`);

describe("fitted() and numbered()", () => {
  it("cut the beginning of a long log, between lines, until the rest fits as JSON", () => {
    for (const [end, plain] of [
      ["\n", "é"],
      ["\r\n", "\u001b[31m"],
    ] as const) {
      const whole = LOG.map((line) => plain + line).join(end);
      const { log, skipped } = fitted(whole, 3000);
      expect(Buffer.byteLength(JSON.stringify(log))).toBeLessThanOrEqual(3000);
      expect(Buffer.byteLength(JSON.stringify(log))).toBeGreaterThan(2000);
      expect(log.startsWith(`${plain}line ${skipped + 1}${end}`)).toBe(true);
      expect(whole.endsWith(log)).toBe(true);
    }
  });

  it("keep a log that fits", () => {
    expect(fitted(LOG.join("\n"))).toEqual({ log: LOG.join("\n"), skipped: 0 });
  });

  it("number the lines of the rest as in the whole log", () => {
    const cause = {
      logLine: 3,
      message: "x",
      excerpt: [
        { number: 2, text: "w" },
        { number: 3, text: "x" },
      ],
    };
    const diagnosis = { cause, alsoSeen: [{ logLine: 1 }] } as Diagnosis;
    expect(numbered(diagnosis, 100)).toMatchObject({
      cause: { logLine: 103, excerpt: [{ number: 102 }, { number: 103 }] },
      alsoSeen: [{ logLine: 101 }],
    });
    expect(numbered(diagnosis, 0)).toBe(diagnosis);
  });
});

describe("isBinary()", () => {
  const read = (bytes: Buffer) => isBinary(bytes.toString("utf8"));

  it("returns true for compressed and random bytes", () => {
    expect(read(gzipSync("error: the shop is closed\n".repeat(50)))).toBe(true);
    expect(
      read(Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919 + (index >> 3)) % 256))),
    ).toBe(true);
  });

  it.each([
    ["nothing", Buffer.from("")],
    ["colours and progress bars", Buffer.from("\u001b[31mFAIL\u001b[0m 10 %\r50 %\r\n\t✖ Größe\n")],
    ["UTF-16, as PowerShell writes it", Buffer.from("\ufefferror: the shop is closed\r\n", "utf16le")],
    ["Latin-1", Buffer.from("Der Laden ist geschlossen: ungültige Größe\n", "latin1")],
  ])("returns false for %s", (_, bytes) => expect(read(bytes)).toBe(false));
});
