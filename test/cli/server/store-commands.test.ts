import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { makeReadOnly, openStore, readOnlyReason } from "../../../src/store/open.ts";
import { collection } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createLog } from "../../../src/system/log.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { user } from "../support/tool.ts";

const notes = collection<{ text: string }>("memories");

describe("backup, restore and data commands", () => {
  it("restore nothing from a damaged backup, and leave the target free for a whole one", async () => {
    const { tool, home } = user();
    const [source, target] = [await madeStore(), join(home, "target")];
    await tool("backup", "whole.backup", "--data", source);
    const whole = readFileSync(join(home, "whole.backup"));
    writeFileSync(join(home, "cut.backup"), whole.subarray(0, whole.length - 20));
    const damaged = await tool("restore", "cut.backup", "--data", target, "--json");
    expect(damaged.code).toBe(1);
    expect(damaged.json).toMatchObject({
      error: "system",
      message: expect.stringContaining("This is no whole backup"),
    });
    expect(existsSync(target)).toBe(false);
    expect((await tool("restore", "whole.backup", "--data", target)).code).toBe(0);
  });

  it("restore a backup from a pipe, and leave nothing of one that breaks off", async () => {
    const { tool, home } = user();
    await tool("backup", "whole.backup", "--data", await madeStore());
    const bin = resolve(import.meta.dirname, "../../../bin/tool.js");
    const command = `"${process.execPath}" "${bin}" restore <(cat whole.backup) --data target`;
    const { status, stderr } = spawnSync("bash", ["-c", command], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home },
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
    expect(existsSync(join(home, "target"))).toBe(true);
    const cut = (target: string) =>
      `head -c 150 whole.backup | "${process.execPath}" "${bin}" restore - --data ${target}`;
    const options = { cwd: home, env: { PATH: process.env.PATH, HOME: home }, encoding: "utf8" } as const;
    expect(spawnSync("bash", ["-c", cut("other")], options)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("no whole backup"),
    });
    expect(readdirSync(join(home, "other"))).toEqual([]);
    expect((await tool("restore", "whole.backup", "--data", "other")).code).toBe(0);
  });

  it("say that a backup is not whole if what reads it ends", async () => {
    const { home } = user();
    const bin = resolve(import.meta.dirname, "../../../bin/tool.js");
    const command = `("${process.execPath}" "${bin}" backup - --data "${await madeStore()}"; echo "code $?" >&2) | true`;
    const { stderr } = spawnSync("bash", ["-c", command], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home },
      encoding: "utf8",
    });
    expect(stderr).toContain(
      "What reads the backup has ended, and the backup is not whole there: see what it says.",
    );
    expect(stderr).not.toContain("--verbose");
    expect(stderr).toContain("code 1");
  });

  it("explain missing stores and damaged backups without a hint at --verbose", async () => {
    const { tool, home } = user();
    writeFileSync(join(home, "empty.backup"), "");
    for (const [words, said] of [
      [["backup", "--data", "nowhere"], "There is no store in"],
      [["data", "read-only", "--data", "."], "There is no store in"],
      [["data", "writable", "--data", "nowhere"], "There is no store in"],
      [["data", "move", "--data", "nowhere", "--to", "elsewhere"], "nowhere does not exist"],
      [["backup", "verify", "empty.backup"], "This is no whole backup"],
      [["backup", "verify", "."], ". is a directory"],
      [["restore", "."], ". is a directory"],
    ] as const) {
      const { stdout, stderr } = await tool(...words);
      expect(stdout + stderr).toContain(said);
      expect(stdout + stderr).not.toContain("is written to again");
      expect(stdout + stderr).not.toContain("--verbose");
    }
  });

  it.each([undefined, "it was moved to elsewhere."])(
    "keep the read-only state of a store whose move fails: %j",
    async (why) => {
      const { tool } = user();
      const source = await madeStore();
      if (why !== undefined) await makeReadOnly(source, why, systemClock);
      const file = join(temporaryDirectory(), "file");
      writeFileSync(file, "");
      const target = join(file, "in-a-file");
      const { code, stderr } = await tool("data", "move", "--data", source, "--to", target);
      expect(code).toBe(1);
      expect(stderr).toContain(why === undefined ? "is written to again." : `stays read only (${why})`);
      expect(await readOnlyReason(source)).toBe(why);
    },
  );

  it("keep nobody from writing to a store that cannot be moved, since the target holds data", async () => {
    const { tool } = user();
    const [source, target] = [await madeStore(), await madeStore()];
    const { code, stderr } = await tool("data", "move", "--data", source, "--to", target);
    expect([code, stderr]).toEqual([2, expect.stringContaining("holds data already")]);
    expect(stderr).not.toContain("written to");
  });

  it("move a store that is read-only for maintenance, and keep the source read-only", async () => {
    const { tool } = user();
    const [source, target] = [await madeStore(), join(temporaryDirectory(), "target")];
    await makeReadOnly(source, "back at noon (UTC).", systemClock);
    expect((await tool("data", "move", "--data", source, "--to", target)).code).toBe(0);
    expect(await readOnlyReason(source)).toBe("it was moved to a directory.");
  });

  it("refuse a target inside the source, but allow a source inside the target", async () => {
    const { tool } = user();
    const source = await madeStore();
    for (const words of [
      ["copy", "--from", source, "--to", join(source, "sub")],
      ["copy", "--from", source, "--to", `${source}/.`],
      ["move", "--data", source, "--to", join(source, "sub")],
    ]) {
      expect(await tool("data", ...words)).toMatchObject({ code: 2 });
      expect(existsSync(join(source, "sub"))).toBe(false);
    }
    // A source inside the target is allowed: a replaced store is set aside there.
    const folder = temporaryDirectory();
    const aside = await madeStore(join(folder, "before"));
    expect(await tool("data", "copy", "--from", aside, "--to", folder)).toMatchObject({ code: 0 });
  });
});

/** Creates a directory with a store in it. */
async function madeStore(directory = temporaryDirectory()): Promise<string> {
  const log = createLog("silent");
  const store = await openStore(directory, { clock: systemClock, log, collections: [notes] });
  await store.transact((tx) => tx.insert(notes, "shop", "n1", { text: "kept" }));
  await store.close();
  return directory;
}
