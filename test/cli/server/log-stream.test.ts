import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { TOOL, user } from "../support/tool.ts";

/** Serves with stderr in a file until it listens, and returns the lines of its log. */
async function logOf(journal: (stderr: number) => string | undefined): Promise<string[]> {
  const { home, env } = user();
  const path = join(home, "log");
  const stderr = openSync(path, "a");
  onTestFinished(() => closeSync(stderr));
  const named = journal(stderr);
  const server = spawn(process.execPath, [TOOL, "serve", "--port", "0"], {
    cwd: home,
    env: { ...env, ...(named !== undefined && { JOURNAL_STREAM: named }) },
    stdio: ["ignore", "pipe", stderr],
  });
  const ended = once(server, "exit");
  await once(server.stdout as Readable, "data");
  server.kill("SIGUSR2");
  await expect.poll(() => readFileSync(path, "utf8")).toContain("changes nothing");
  server.kill("SIGTERM");
  await ended;
  return readFileSync(path, "utf8").trimEnd().split("\n");
}

const streamOf = (stderr: number) => {
  const { dev, ino } = fstatSync(stderr);
  return `${dev}:${ino}`;
};

it("each line of the log has its priority in front where journald reads it, and is JSON behind that", async () => {
  const lines = await logOf(streamOf);
  const levels = lines.map((line) => {
    const [, priority, json = ""] = /^<(\d)>(.*)$/.exec(line) ?? [];
    return [priority, JSON.parse(json).level];
  });
  expect(levels).toContainEqual(["6", "info"]);
  expect(levels).toContainEqual(["4", "warn"]);
  expect(
    levels.filter(([priority, level]) => priority !== { info: "6", warn: "4" }[level as string]),
  ).toEqual([]);
});

it.each([
  ["without systemd", () => undefined],
  ["where stderr was redirected since", () => "1:2"],
])("lines of the log are JSON alone %s", async (_when, journal) => {
  const lines = await logOf(journal);
  expect(lines.map((line) => JSON.parse(line).level)).toContain("warn");
});

it("why a command failed is an error where journald reads it", async () => {
  const { home, env } = user();
  const path = join(home, "log");
  const stderr = openSync(path, "a");
  onTestFinished(() => closeSync(stderr));
  const server = spawn(process.execPath, [TOOL, "serve", "--port", "none", "--verbose"], {
    cwd: home,
    env: { ...env, JOURNAL_STREAM: streamOf(stderr) },
    stdio: ["ignore", "ignore", stderr],
  });
  expect(await once(server, "exit")).toEqual([2, null]);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines[0]).toContain("--port");
  for (const line of lines) expect(line).toMatch(/^<3>/);
});
