import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { encodeGroup, GroupReader, provesDamage } from "../../../../src/store/json-file/journal/group.ts";
import { InputFile } from "../../../../src/store/json-file/journal/input-file.ts";
import { temporaryDirectory } from "../../../support/store.ts";

let path: string;
beforeEach(() => {
  path = join(temporaryDirectory(), "groups");
});

function fileOf(bytes: Buffer): InputFile {
  writeFileSync(path, bytes);
  return new InputFile(path);
}

function bytesOf(groups: string[][], ending: string): Buffer {
  return Buffer.concat(
    groups.flatMap((lines, index) =>
      encodeGroup(index + 1, [Buffer.from(lines.map((line) => line + ending).join(""))], ending),
    ),
  );
}

function readAll(bytes: Buffer, ending: string) {
  const file = fileOf(bytes);
  try {
    const reader = new GroupReader(file, ending, 1);
    const groups: { number: number; records: string; line: number }[] = [];
    for (let group = reader.next(); group; group = reader.next()) {
      groups.push({ ...group, records: group.records.toString() });
    }
    return { groups, offset: file.offset, faultyLine: reader.faultyLine };
  } finally {
    file.close();
  }
}

describe("groups of records", () => {
  const groups = fc.array(
    fc.array(
      fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text)),
      { maxLength: 5 },
    ),
    {
      maxLength: 5,
    },
  );

  it.each(["\n", ",\n"])(
    "are read back with their numbers and line numbers if lines end with %j",
    (ending) => {
      fc.assert(
        fc.property(groups, (written) => {
          const bytes = bytesOf(written, ending);
          // Line 1 is the heading of the file.
          let line = 2;
          const expected = written.map((lines, index) => {
            const first = line + 1;
            line = first + lines.length;
            return { number: index + 1, records: lines.map((each) => each + ending).join(""), line: first };
          });
          expect(readAll(bytes, ending)).toEqual({
            groups: expected,
            offset: bytes.length,
            faultyLine: line,
          });
        }),
        { numRuns: 30 },
      );
    },
  );

  it("are read up to the first group with a changed byte", () => {
    const written = [["1", "2"], ["3"], ["4", "5"]];
    const bytes = bytesOf(written, "\n");
    const ends = written.map((_, index) => bytesOf(written.slice(0, index + 1), "\n").length);
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 1;
      expect(readAll(damaged, "\n").groups).toHaveLength(ends.filter((end) => end <= at).length);
    }
  });

  it("are not read if their number is not the expected one", () => {
    const [group] = encodeGroup(2, [Buffer.from("1\n")], "\n");
    expect(readAll(group as Buffer, "\n").groups).toEqual([]);
  });

  it("report the damaged line, or their header if the damage cannot be located", () => {
    const damage = (from: string, to: string) =>
      readAll(
        Buffer.from(
          bytesOf([["1"], ["22", "33"]], "\n")
            .toString()
            .replace(from, to),
        ),
        "\n",
      ).faultyLine;
    expect(damage("22\n", "2x\n")).toBe(5);
    expect(damage("33\n", "3x\n")).toBe(6);
    // The line is still valid JSON, so only the group's checksum detects the change.
    expect(damage("33\n", "34\n")).toBe(4);
    expect(damage('"bytes":6', '"bytes":7')).toBe(4);
    expect(damage('"bytes":6', '"bytes":x')).toBe(4);
    // The group would end within a line, which is not damaged although its beginning is no valid JSON.
    const texts = bytesOf([["1"], ['"a"', '"b"']], "\n").toString();
    expect(readAll(Buffer.from(texts.replace('"bytes":8', '"bytes":6')), "\n").faultyLine).toBe(4);
  });

  it("are not read if their header claims more bytes than the file has", () => {
    const header = '{"group":1,"bytes":999999999999,"check":"00000000"}\n';
    expect(readAll(Buffer.from(`${header}1\n`), "\n")).toEqual({ groups: [], offset: 0, faultyLine: 2 });
  });

  it("prove damage if they are found whole at any offset after a missing group", () => {
    const [group] = encodeGroup(7, [Buffer.from("1\n")], "\n") as [Buffer];
    const noise = Buffer.from('x{"group":1}\n{"group":12,"bytes":3,"check":"00000000"}\n');
    const proves = (bytes: Buffer, ending = "\n") => provesDamage(bytes, 6, ending);
    expect(proves(Buffer.concat([noise, group, noise]))).toBe(true);
    expect(proves(group)).toBe(true);
    expect(proves(noise)).toBe(false);
    expect(proves(group.subarray(0, -1))).toBe(false);
    expect(proves(group.subarray(1))).toBe(false);
    expect(proves(group, ",\n")).toBe(false);
    expect(proves(Buffer.alloc(0))).toBe(false);
  });

  it("prove no damage if they were written before the missing group was synced", () => {
    const [group] = encodeGroup(7, [Buffer.from("1\n")], "\n", 4) as [Buffer];
    expect([3, 4, 5, 6, 7, 8].filter((missing) => provesDamage(group, missing, "\n"))).toEqual([3, 4, 7, 8]);
    const forged = Buffer.from(group.toString().replace('"synced":4', '"synced":5'));
    expect(provesDamage(forged, 5, "\n")).toBe(false);
  });

  it("are read regardless of the synced group that their header names", () => {
    const written = [1, 2, 3].flatMap((number) =>
      encodeGroup(number, [Buffer.from(`${number}\n`)], "\n", Math.max(0, number - 2)),
    );
    const { groups } = readAll(Buffer.concat(written), "\n");
    expect(groups.map(({ number, records }) => [number, records])).toEqual([
      [1, "1\n"],
      [2, "2\n"],
      [3, "3\n"],
    ]);
  });
});

describe("InputFile", () => {
  it("returns bytes in order for reads of any length", () => {
    const bytes = Buffer.alloc(5 << 20);
    for (let index = 0; index < bytes.length; index += 4) bytes.writeUInt32LE(index, index);
    const file = fileOf(bytes);
    onTestFinished(() => file.close());
    expect(file.size).toBe(bytes.length);
    for (const length of [1, 1000, (1 << 20) - 1, 3 << 20, 7, 1 << 20, 1 << 20]) {
      const expected = bytes.subarray(file.offset, file.offset + length);
      expect(file.peek(length).equals(expected)).toBe(true);
      expect(file.peek(length).equals(expected)).toBe(true);
      file.skip(expected.length);
    }
    expect(file.peek(1 << 20)).toHaveLength(bytes.length - file.offset);
    file.skip(bytes.length - file.offset);
    expect(file.peek(10)).toHaveLength(0);
  });

  it("returns what is left after a truncation, and nothing that was appended since it was opened", () => {
    const file = fileOf(Buffer.from("12345678"));
    onTestFinished(() => file.close());
    writeFileSync(path, "9", { flag: "a" });
    expect(file.peek(100).toString()).toBe("12345678");
    const again = file.again();
    truncateSync(path, 3);
    expect(again.peek(8).toString()).toBe("123");
    expect(again.peek(1e12).toString()).toBe("123");
  });

  it("returns a line with its line break, unless it is unfinished or longer than asked for", () => {
    const file = fileOf(Buffer.from("first\nsecond"));
    onTestFinished(() => file.close());
    expect(file.peekLine(6)).toBe("first\n");
    expect(file.peekLine(5)).toBeUndefined();
    file.skip(6);
    expect(file.peekLine(80)).toBeUndefined();
  });
});
