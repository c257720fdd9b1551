import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OWNER_KEY, startApp } from "../support/app.ts";
import { temporaryDirectory } from "../support/store.ts";
import { TOOL, user } from "./support/tool.ts";

/** Returns a user whose home is a file, so that nothing can be created in it, even by root. */
function homeless(environment: Record<string, string>) {
  const home = join(temporaryDirectory(), "home");
  writeFileSync(home, "");
  return user({ ...environment, HOME: home });
}

describe("a home that cannot be written", () => {
  it("still lets tool track count a use, with a message about the missing queue", async () => {
    const app = await startApp();
    const { tool } = homeless({ TOOL_BASE_URL: app.url, TOOL_TOKEN: OWNER_KEY });
    const { code, json, stderr } = await tool("track", "api_calls", "--json");
    expect([code, json.recorded]).toEqual([0, true]);
    expect(stderr).toMatch(/^It is not queued first: .*home/);
  });

  it("makes tool track and events record fail when the server is unreachable", async () => {
    const { tool } = homeless({ TOOL_BASE_URL: "http://127.0.0.1:9", TOOL_TOKEN: OWNER_KEY });
    expect((await tool("track", "api_calls")).code).toBe(6);
    expect((await tool("events", "record", "api.call")).code).toBe(1);
  });
});

describe("a home under /proc, where Node's own mkdir never returns", () => {
  it.skipIf(process.platform !== "linux").each([
    [["graph", "impact", "a.ts"], 0],
    [["locate", "greeting"], 0],
    [["config", "set", "project", "shop"], 1],
  ])("does not hang tool %j", async (words, code) => {
    const directory = temporaryDirectory();
    spawnSync("git", ["init", "-q", directory]);
    writeFileSync(join(directory, "a.ts"), "export const greeting = 1;\n");
    const env = { PATH: process.env.PATH, HOME: "/proc/none" };
    const ended = spawnSync(process.execPath, [TOOL, ...words], {
      cwd: directory,
      env,
      encoding: "utf8",
      timeout: 100_000,
      killSignal: "SIGKILL",
    });
    expect([ended.signal, ended.status], ended.stderr).toEqual([null, code]);
  });
});

describe("overlong arguments", () => {
  it("are cut in messages, and refused as the name of an event", async () => {
    const { tool } = user();
    const long = "x".repeat(100_000);
    expect((await tool(long)).stderr.length).toBeLessThan(1200);
    expect(await tool("events", "record", long)).toMatchObject({ code: 2, stdout: "" });
    expect((await tool("events", "list")).stdout).toBe("Nothing waits to be sent.\n");
  });
});

describe("a terminal without a size", () => {
  it("is treated as 80 columns wide", ({ skip }) => {
    const { env, home } = user();
    const line = `'${process.execPath}' '${TOOL}' config list`;
    const { status, stdout } = spawnSync("script", ["-qec", `stty cols 0 rows 0; ${line}`, "/dev/null"], {
      env: { ...env, TERM: "xterm" },
      cwd: home,
      encoding: "utf8",
    });
    skip(status !== 0, "script(1) is not installed");
    expect(stdout).toMatch(/baseUrl {2,}http:\/\/127\.0\.0\.1:4242 {2,}default/);
  });
});

describe("a home that is no absolute path", () => {
  it.each(["", "here"])("(%j) is ignored, and nothing is kept in the working directory", async (HOME) => {
    const { home, start } = user({ TOOL_BASE_URL: "http://127.0.0.1:9" });
    const nowhere = { HOME, XDG_CONFIG_HOME: "conf", XDG_DATA_HOME: "data", XDG_CACHE_HOME: "" };
    const { child, finished } = start(["auth", "status", "--json"], nowhere);
    child.stdin.end();
    expect((await finished).code).toBe(4);
    const listed = start(["config", "list"], nowhere);
    listed.child.stdin.end();
    expect((await listed.finished).stdout).toMatch(/Yours are in \//);
    expect(readdirSync(home)).toEqual([]);
  });
});

describe("a working directory that was deleted", () => {
  /** Runs a command in a directory that it deletes first. */
  function gone(...words: string[]) {
    const { home, env } = user();
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const line = ["-c", script, "sh", process.execPath, TOOL, ...words];
    return spawnSync("sh", line, { cwd: home, env, encoding: "utf8" });
  }

  it.each([[["whoami"]], [["review"]], [["track", "api_calls"]]])(
    "is named by tool %j, without a stack trace",
    (words) => {
      const { status, stdout, stderr } = gone(...words);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^✖ The directory that this was started in is gone\.\n {2}.*`?cd ~`?\.\n$/);
    },
  );

  it("is named in JSON for --json", () => {
    const { status, stdout } = gone("whoami", "--json");
    expect([status, JSON.parse(stdout).error]).toEqual([2, "usage"]);
  });
});

describe("a sign-in that could not be kept", () => {
  it.each([[["login"]], [["login", "--start"]], [["login", "--with-token"]]])(
    "is refused by tool %j before anybody is asked to approve it",
    async (words) => {
      const app = await startApp();
      const { tool } = homeless({ TOOL_BASE_URL: app.url });
      const { code, json } = await tool(...words, "--json");
      expect([code, json.message]).toEqual([1, expect.stringContaining("home")]);
      expect(json.next).toContain("XDG_DATA_HOME");
      expect(json.userCode).toBeUndefined();
    },
  );
});
