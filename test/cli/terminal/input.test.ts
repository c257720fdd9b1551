import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/cli/exit-codes.ts";
import { runProgram } from "../../../src/cli/program.ts";
import { readEnd, readText, textOf } from "../../../src/cli/terminal/input.ts";
import { readJson } from "../../../src/cli/terminal/read-json.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { testIo } from "../support/io.ts";

/** Creates an `Io` whose stdin arrives in pieces of this size. */
function withStdin(text: string, size = 7) {
  const { io } = testIo();
  const bytes = Buffer.from(text);
  io.input.pieces = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  return io;
}

describe("readText(), readJson() and readEnd()", () => {
  it("read a file or stdin up to the bound, and refuse more", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "a.txt"), "é".repeat(100));
    const io = { ...withStdin("é".repeat(100)), workingDirectory: directory };
    for (const file of ["a.txt", "-"]) {
      expect(await readText(io, file, 200)).toBe("é".repeat(100));
      await expect(readText(io, file, 199)).rejects.toThrow(UsageError);
    }
    await expect(readText(io, "b.txt")).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("refuse an endless device", async () => {
    await expect(readText(testIo().io, "/dev/zero", 3 << 20)).rejects.toThrow(
      "/dev/zero holds more than 3 MiB.",
    );
  });

  it("read UTF-8 and UTF-16 without the byte order mark", async () => {
    const directory = temporaryDirectory();
    const io = { ...testIo().io, workingDirectory: directory };
    for (const bytes of [
      Buffer.from('\ufeff{"a": "é"}'),
      Buffer.from('\ufeff{"a": "é"}', "utf16le"),
      Buffer.from('\ufeff{"a": "é"}', "utf16le").swap16(),
    ]) {
      writeFileSync(join(directory, "a.json"), bytes);
      expect(await readText(io, "a.json")).toBe('{"a": "é"}');
      expect(await readJson(io, "a.json")).toEqual({ a: "é" });
    }
  });

  it("return the end of a log within the bound, from the beginning of a line, and count the lines before", async () => {
    const log = fc
      .array(fc.oneof(fc.string(), fc.constantFrom("\n", "\r\n", "\r", "x".repeat(30))))
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(
        log,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 9 }),
        async (text, most, size) => {
          const { text: end, skipped } = await readEnd(textOf(withStdin(text, size), "-"), most);
          const before = text.slice(0, text.length - end.length);
          expect(before + end).toBe(text);
          expect(end.length).toBeLessThanOrEqual(most);
          if (text.length <= most) expect(before).toBe("");
          else {
            const last = text.slice(-most);
            // The last line may be longer than the bound.
            const isWithinLine = !last.slice(0, -1).includes("\n");
            expect(end).toBe(isWithinLine ? last : last.slice(last.indexOf("\n") + 1));
          }
          expect(skipped).toBe(before.match(/\r\n|\r|\n/g)?.length ?? 0);
        },
      ),
      { examples: [[`a\n${"x".repeat(30)}\n`, 10, 7]] },
    );
  });
});

describe("invalid input on stdin", () => {
  it.each([
    ["scheduler plan -", "{", "stdin is not valid JSON"],
    ["scheduler plan -", "{}", "stdin must hold a list of tasks"],
    ["anomalies analyze -", "[1, 2", "stdin is not valid JSON"],
    ["anomalies analyze -", "[1, 2, 3]", "stdin is one list of points"],
    ["anomalies analyze -", "{}", "stdin holds no points"],
    ["anomalies analyze - --metric b", '{"a": [1]}', 'stdin has no metric "b"'],
    ["anomalies analyze -", "at,a\n1,2\n2,x\n", "Row 3 of stdin"],
    ["graph import -", "[", "stdin is not valid JSON"],
    ["graph import -", '{"entities": 3}', "stdin must hold"],
  ])("is reported under the name stdin: %s with %s", async (line, stdin, said) => {
    const { io, written } = testIo({ stdin });
    io.input.pieces = async function* () {
      yield Buffer.from(stdin);
    };
    expect(await runProgram(io, line.split(" "))).toBe(2);
    expect(written.err).toContain(said);
  });
});
