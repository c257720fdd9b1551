import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { median } from "./data/times.ts";
import { OWNER_KEY, startToolplane } from "./servers/start.ts";

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

interface Pair {
  name: string;
  ours: string[];
  bareName: string;
  bare: string[];
  /** Whether it runs without a server or sign-in, in a repository of two files. */
  isLocal?: true;
}

const NOTHING = { bareName: "node -e 0", bare: ["-e", "0"] };

/**
 * Measures how long short commands take, beside a Node process that only does the same work, and local tools with small
 * inputs beside one that does nothing. Prints medians of rounds in which all take turns. Two rounds before those fill
 * Node's compile cache.
 */
export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const server = await startToolplane();
  const script = (name: keyof typeof BARE) => {
    const file = join(home, `${name}.cjs`);
    writeFileSync(file, BARE[name]);
    return [file];
  };
  const local = (...words: string[]): Pair => ({
    name: words.join(" "),
    ours: [TOOL, ...words],
    ...NOTHING,
    isLocal: true,
  });
  const pairs: Pair[] = [
    { name: "--version", ours: [TOOL, "--version"], ...NOTHING },
    {
      name: "events record",
      ours: [TOOL, "events", "record", "api.call"],
      bareName: "a script that appends a line",
      bare: script("append"),
    },
    {
      name: "track",
      ours: [TOOL, "track", "api_calls"],
      bareName: "a script that posts the request",
      bare: script("post"),
    },
    local("graph", "impact", "b.ts"),
    local("review", "--all"),
    local("diagnose", "build.log"),
    local("locate", "limit"),
  ];
  const repository = smallRepository(home);
  const signedOut = { PATH: process.env.PATH, HOME: home };
  const signedIn = { ...signedOut, TOOL_BASE_URL: server.url, TOOL_TOKEN: OWNER_KEY };
  const took = pairs.map(() => [[], []] as [ours: number[], bare: number[]]);
  try {
    for (let round = -2; round < ROUNDS; round++) {
      for (const [index, { ours, bare, isLocal }] of pairs.entries()) {
        const [env, cwd] = isLocal ? [signedOut, repository] : [signedIn, home];
        for (const [side, words] of [ours, bare].entries()) {
          const started = performance.now();
          const { status, stderr } = spawnSync(process.execPath, words, { env, cwd });
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
  for (const [index, { name, bareName }] of pairs.entries()) {
    const [ours, bare] = (took[index] ?? []).map(median) as [number, number];
    const figures = `${ours.toFixed(0).padStart(5)} ms ${bare.toFixed(0).padStart(5)} ms`;
    console.log(`  tool ${name.padEnd(18)} ${figures}  ${(ours / bare).toFixed(2)} x ${bareName}`);
  }
}

function smallRepository(home: string): string {
  const directory = join(home, "repository");
  mkdirSync(directory);
  writeFileSync(
    join(directory, "a.ts"),
    'import { limit } from "./b.ts";\nexport const twice = 2 * limit;\n',
  );
  writeFileSync(join(directory, "b.ts"), "export const limit = 10;\n");
  writeFileSync(join(directory, "build.log"), "a.ts(2,32): error TS2304: Cannot find name 'limit'.\n");
  execFileSync("git", ["init", "--quiet"], { cwd: directory });
  execFileSync("git", ["add", "."], { cwd: directory });
  return directory;
}
