import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { StoreDamaged } from "../../../src/store/json-file/journal/layout.ts";
import { type Loaded, load } from "../../../src/store/json-file/journal/load.ts";
import { mergeOldJournal } from "../../../src/store/json-file/journal/merge.ts";
import { dumpDirectory } from "../../../src/store/json-file/journal/read-directory.ts";
import { GLOBAL } from "../../../src/store/store.ts";
import { OperationalError } from "../../../src/system/operational-error.ts";
import { adjustableClock } from "../../support/adjustable-clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { imageOf, linesOf, notes, notesOf, openAt, put, recordingLog } from "./directory.ts";

const JOURNAL = "journal.jsonl";
const SNAPSHOT = "store.json";

describe("a truncated journal", () => {
  it("is read up to its last whole group for any cut, and the dropped bytes are logged", async () => {
    const { directory, states } = await fiveCommits();
    const journal = readFileSync(join(directory, JOURNAL));
    const ends = endsOfGroups(journal);
    for (let length = ends[0] as number; length <= journal.length; length++) {
      truncateSync(restore(directory, journal), length);
      const { lines, log } = recordingLog();
      const loaded = load(directory, log);
      const whole = ends.filter((end) => end <= length).length - 1;
      expect(contentOf(loaded)).toEqual(states[Math.min(whole, states.length - 1)]);
      expect(loaded.group).toBe(whole);
      const isTorn = !ends.includes(length);
      expect(lines.map(({ level }) => level)).toEqual(isTorn ? ["warn"] : []);
      if (isTorn) {
        expect(lines[0]?.message).toBe("dropped what was never finished at the end");
        expect(lines[0]?.details).toMatchObject({ bytes: length - (ends[whole] as number) });
        expect(lines[0]?.details.file).toBe(join(directory, JOURNAL));
      }
    }
  });

  it("is continued after its last whole group", async () => {
    const { directory, states } = await fiveCommits();
    const journal = readFileSync(join(directory, JOURNAL));
    const torn = journal.subarray(0, (endsOfGroups(journal)[3] as number) - 5);
    writeFileSync(join(directory, JOURNAL), Buffer.concat([torn, Buffer.alloc(4096)]));
    const store = await openAt(directory);
    expect(await notesOf(store)).toEqual(states[2]);
    await put(store, "after");
    await store.close();
    const { lines, log } = recordingLog();
    expect(await notesOf(await openAt(directory, { log }))).toEqual({ ...states[2], after: "after" });
    expect(lines).toEqual([]);
  });

  it("is read without a tail of zeros or noise, which is logged as dropped", async () => {
    const { directory, states } = await fiveCommits();
    const journal = readFileSync(join(directory, JOURNAL));
    for (const tail of [
      Buffer.alloc(4096),
      Buffer.from('{"group":7,"bytes":10,"check":"00000000"}\n{"put":"n'),
      Buffer.from("\n\n"),
    ]) {
      writeFileSync(join(directory, JOURNAL), Buffer.concat([journal, tail]));
      const { lines, log } = recordingLog();
      expect(contentOf(load(directory, log))).toEqual(states.at(-1));
      expect(lines).toMatchObject([{ level: "warn", details: { bytes: tail.length } }]);
    }
  });
});

describe("a damaged file", () => {
  it("is refused, naming file and line, for any changed byte of the journal before its empty last group", async () => {
    const { directory, states } = await fiveCommits();
    const journal = readFileSync(join(directory, JOURNAL));
    const seal = endsOfGroups(journal).at(-2) as number;
    for (let at = 0; at < journal.length; at++) {
      const damaged = Buffer.from(journal);
      damaged[at] = (damaged[at] as number) ^ (1 << (at % 7));
      writeFileSync(join(directory, JOURNAL), damaged);
      if (at >= seal) expect(contentOf(load(directory, recordingLog().log))).toEqual(states.at(-1));
      else expectRefusal(directory, JOURNAL, journal, at);
    }
  });

  it("is refused for any changed or missing byte of the snapshot", async () => {
    const directory = await withSnapshot();
    const snapshot = readFileSync(join(directory, SNAPSHOT));
    for (let at = 0; at < snapshot.length; at++) {
      const damaged = Buffer.from(snapshot);
      damaged[at] = (damaged[at] as number) ^ (1 << (at % 7));
      writeFileSync(join(directory, SNAPSHOT), damaged);
      expectRefusal(directory, SNAPSHOT, snapshot, at);

      writeFileSync(join(directory, SNAPSHOT), snapshot.subarray(0, at));
      expect(() => load(directory, recordingLog().log)).toThrow(StoreDamaged);
    }
    writeFileSync(join(directory, SNAPSHOT), Buffer.concat([snapshot, Buffer.from("\n")]));
    expect(() => load(directory, recordingLog().log)).toThrow("from here on it is not what was written");
  });

  it("is refused if a line, a group or a file is missing", async () => {
    const { directory } = await fiveCommits();
    const journal = linesOf(directory, JOURNAL);
    for (const [from, count] of [
      [2, 1],
      [1, 2],
      [0, 1],
    ] as const) {
      writeFileSync(join(directory, JOURNAL), journal.toSpliced(from, count).join("\n"));
      expect(() => load(directory, recordingLog().log)).toThrow(StoreDamaged);
    }
    const compacted = await withSnapshot();
    const rest = readFileSync(join(compacted, JOURNAL));
    rmSync(join(compacted, JOURNAL));
    expect(() => load(compacted, recordingLog().log)).toThrow(/journal\.jsonl is missing/);
    writeFileSync(join(compacted, JOURNAL), rest);
    rmSync(join(compacted, SNAPSHOT));
    expect(() => load(compacted, recordingLog().log)).toThrow(
      /it continues group 6, but what precedes it ends with 0/,
    );
  });

  it.each([
    [JOURNAL, '{"journal":0,"version":2}\n'],
    [SNAPSHOT, '{"snapshot":0,"version":1,"records":[\n'],
  ])("is refused if %s begins with a malformed heading", (name, heading) => {
    const loaded = (text: string) => {
      const directory = temporaryDirectory();
      if (name === SNAPSHOT) writeFileSync(join(directory, JOURNAL), '{"journal":0,"version":2}\n');
      writeFileSync(join(directory, name), text + (name === SNAPSHOT ? '{"end":0}\n]}\n' : ""));
      return () => load(directory, recordingLog().log);
    };
    expect(loaded(heading)().group).toBe(0);
    for (const other of [
      ` ${heading}`,
      `{}${heading}`,
      heading.replace("\n", " \n"),
      heading.replace("\n", "x\n"),
      heading.trimEnd(),
      heading.replace(":0,", `:${"0".repeat(16)},`),
      heading.replace(":0,", ":-1,"),
      heading.replace(":0,", ":,"),
      heading.replace(/"version":\d/, `"version":${"1".repeat(10)}`),
      heading.replace(/"version":\d/, '"version":'),
      heading.replace("{", "["),
      "\n",
    ])
      expect(loaded(other), other).toThrow("line 1: this is not how such a file begins");
  });

  it.each([JOURNAL, SNAPSHOT])(
    "is refused with what to do if git has changed the line ends of %s",
    async (name) => {
      const directory = await withSnapshot();
      const whole = await notesOf(await openAt(imageOf(directory)));
      const path = join(directory, name);
      const change = (from: string, to: string) =>
        writeFileSync(path, readFileSync(path, "utf8").replaceAll(from, to));
      change("\n", "\r\n");
      await expect(openAt(directory)).rejects.toThrow(`${path}: its lines end with CR LF`);
      change("\r\n", "\n");
      expect(await notesOf(await openAt(directory))).toEqual(whole);
    },
  );

  describe.each([
    { what: "a directory", make: (path: string) => mkdirSync(path) },
    { what: "a pipe", make: (path: string) => execFileSync("mkfifo", [path]) },
  ])("with $what in the place of a file", ({ make }) => {
    it.each([JOURNAL, SNAPSHOT])("is refused by the path of %s", async (name) => {
      const directory = temporaryDirectory();
      const path = join(directory, name);
      make(path);
      const refusal = new OperationalError(
        `${path} is not a file. Nothing was changed: move it away and, if there was such a file, ` +
          "restore the data directory from a backup.",
      );
      await expect(openAt(directory)).rejects.toThrow(refusal);
      await expect(dumpDirectory(directory, adjustableClock()).next()).rejects.toThrow(refusal);
      rmSync(path, { recursive: true });
      expect(await notesOf(await openAt(directory))).toEqual({});
    });
  });

  it("is refused with a hint to update if a newer version wrote it", async () => {
    const { directory } = await fiveCommits();
    const journal = readFileSync(join(directory, JOURNAL), "utf8");
    writeFileSync(join(directory, JOURNAL), journal.replace('"version":2', '"version":3'));
    await expect(openAt(directory)).rejects.toThrow(/newer version \(format 3\): update/);
  });

  it("is left unchanged when refused, and its directory opens once the file is repaired", async () => {
    const { directory, states } = await fiveCommits();
    const journal = readFileSync(join(directory, JOURNAL));
    writeFileSync(join(directory, JOURNAL), Buffer.from(journal).fill("x", 100, 110));
    const refused = readFileSync(join(directory, JOURNAL));
    await expect(openAt(directory)).rejects.toThrow(StoreDamaged);
    expect(readFileSync(join(directory, JOURNAL))).toEqual(refused);
    writeFileSync(join(directory, JOURNAL), journal);
    expect(await notesOf(await openAt(directory))).toEqual(states.at(-1));
  });
});

/** Creates a closed store. Returns its notes after zero, one, … groups. */
async function fiveCommits(): Promise<{ directory: string; states: Record<string, string>[] }> {
  const directory = temporaryDirectory();
  const store = await openAt(directory);
  const states: Record<string, string>[] = [{}];
  const commits: (() => Promise<unknown>)[] = [
    () => put(store, "a", "plain"),
    () => put(store, "b", 'quotes " and \\ and ü 日本 😀'),
    () => put(store, "a", "changed"),
    () => store.transact((tx) => tx.delete(notes, GLOBAL, "b")),
    () =>
      store.transact(async (tx) => {
        await tx.put(notes, GLOBAL, "c", { text: "expires" }, { expiresAt: 1e15 });
        await tx.put(notes, "acc_1", "d", { text: "elsewhere" });
        await tx.increment("visits", GLOBAL, "today", 7);
      }),
  ];
  for (const commit of commits) {
    await commit();
    states.push(await notesOf(store));
  }
  await store.close();
  return { directory, states };
}

/** Creates the store of `fiveCommits` as a snapshot, with a journal of one more commit. */
async function withSnapshot(): Promise<string> {
  const { directory } = await fiveCommits();
  cpSync(join(directory, JOURNAL), join(directory, "journal.old.jsonl"));
  mergeOldJournal(directory);
  rmSync(join(directory, "journal.old.jsonl"));
  writeFileSync(join(directory, JOURNAL), '{"journal":6,"version":2}\n');
  const store = await openAt(directory);
  await put(store, "e");
  await store.close();
  return imageOf(directory);
}

function restore(directory: string, journal: Buffer): string {
  writeFileSync(join(directory, JOURNAL), journal);
  return join(directory, JOURNAL);
}

/** Returns the offsets of the ends of the heading and of each group. */
function endsOfGroups(journal: Buffer): number[] {
  const starts = [...journal.toString("latin1").matchAll(/^\{"group":/gm)].map(({ index }) => index);
  return [...starts, journal.length];
}

function contentOf({ tables }: Loaded): Record<string, string> {
  const rows = tables.find("put", notes.name, GLOBAL)?.rows ?? new Map();
  return Object.fromEntries([...rows].map(([id, row]) => [id, JSON.parse(row.content).text]));
}

/** Asserts a refusal that names the line of the byte, or the first line of the group or closing that contains it. */
function expectRefusal(directory: string, name: string, intact: Buffer, at: number): void {
  const before = intact.subarray(0, at).toString("latin1");
  const line = before.split("\n").length;
  const headers = [...before.matchAll(/^\{"group":/gm)];
  const closing = intact.toString("latin1").split("\n").length - 2;
  const header = before.slice(0, headers.at(-1)?.index ?? 0).split("\n").length;
  try {
    load(directory, recordingLog().log);
  } catch (error) {
    // A damaged heading may make another file, or the program's version, look wrong.
    if (line === 1) return;
    expect(error).toBeInstanceOf(StoreDamaged);
    const named = /^(.*), line (\d+): /.exec((error as Error).message);
    expect(named?.[1]).toBe(join(directory, name));
    expect([header, line, closing], `byte ${at}: ${(error as Error).message}`).toContain(Number(named?.[2]));
    return;
  }
  throw new Error(`a change of byte ${at} of ${name} went unnoticed`);
}
