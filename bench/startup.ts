import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { median, OWNER_KEY, startToolplane } from "./servers/start.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 41);
const TOOL = resolve(import.meta.dirname, "../bin/tool.js");

/** Scripts that do the work of a command and nothing else: append one line, and post the request of `tool track`. */
const BARE = {
  append: `require("node:fs").appendFileSync(process.env.HOME + "/line", "{\\"event\\":\\"api.call\\"}\\n");`,
  post: `const { request } = require("node:http");
const headers = { authorization: "Bearer " + process.env.TOOL_TOKEN, "content-type": "application/json" };
request(process.env.TOOL_BASE_URL + "/api/v1/track", { method: "POST", headers }, (answer) => {
  answer.on("data", (piece) => process.stdout.write(piece)).on("end", () => process.exit(0));
}).end('{"type":"api_calls"}');`,
};

/**
 * Measures how long short commands take, beside a Node process that only does the same work. Prints medians of rounds
 * in which all take turns. Two rounds before those fill Node's compile cache.
 */
export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const server = await startToolplane();
  const script = (name: keyof typeof BARE) => {
    const file = join(home, `${name}.cjs`);
    writeFileSync(file, BARE[name]);
    return [file];
  };
  const pairs: [name: string, words: string[], bareName: string, bare: string[]][] = [
    ["--version", [TOOL, "--version"], "node -e 0", ["-e", "0"]],
    [
      "events record",
      [TOOL, "events", "record", "api.call"],
      "a script that appends a line",
      script("append"),
    ],
    ["track", [TOOL, "track", "api_calls"], "a script that posts the request", script("post")],
  ];
  const env = { PATH: process.env.PATH, HOME: home, TOOL_BASE_URL: server.url, TOOL_TOKEN: OWNER_KEY };
  const took = pairs.map(() => [[], []] as [ours: number[], bare: number[]]);
  try {
    for (let round = -2; round < ROUNDS; round++) {
      for (const [index, [, ours, , bare]] of pairs.entries()) {
        for (const [side, words] of [ours, bare].entries()) {
          const started = performance.now();
          const { status, stderr } = spawnSync(process.execPath, words, { env, cwd: home });
          if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${stderr}`);
          if (round >= 0) took[index]?.[side]?.push(performance.now() - started);
        }
      }
    }
  } finally {
    server.stop();
    // A command that still sends in the background may write there.
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
  console.log(`\nStart-up, medians of ${ROUNDS} rounds, Node ${process.versions.node}`);
  for (const [index, [name, , bareName]] of pairs.entries()) {
    const [ours, bare] = (took[index] ?? []).map(median) as [number, number];
    const figures = `${ours.toFixed(0).padStart(5)} ms ${bare.toFixed(0).padStart(5)} ms`;
    console.log(`  tool ${name.padEnd(14)} ${figures}  ${(ours / bare).toFixed(2)} x ${bareName}`);
  }
}
