/**
 * Runs the official conformance suite of MCP against a server, and prints the results:
 *
 *     npm run conformance                                   # against /mcp of a server of its own
 *     npm run conformance -- --url http://127.0.0.1:4242/mcp/github    # with the key in TOOL_TOKEN
 *     npm run conformance -- --url … --everything           # a server that has the suite's own tools
 *
 * Exits with 1 if a requirement of either revision failed. The suite, and the Node that it needs, are installed
 * from npm into a temporary directory; `--suite <directory>` names one that is kept for the next time.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startServer } from "../src/server/starting/start-server.ts";
import { createLog } from "../src/system/log.ts";
import { keyedProxy } from "./keyed-proxy.ts";

const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const NODE_MAJOR = 22;
const REVISIONS = ["2025-11-25", "2026-07-28"];
const OWN_KEY = "key-of-the-conformance-suite-0123456789";

/**
 * Scenarios that call tools, prompts and resources which only a server made for the suite has (`test_simple_text`,
 * `test://static-text`), or that test capabilities which Toolplane does not announce. The others apply to any server.
 */
const OF_TEST_SERVERS = [
  /^tools-call-/,
  /^prompts-get-/,
  /^resources-(read|templates-read)/,
  /^elicitation-/,
  /^input-required-result-(?!unsupported-methods)/,
  /^json-schema-2020-12$/,
  /^http-custom-header-/,
  /^server-sse-polling$/,
  /^tasks-/,
  /^logging-set-level$/,
  /^completion-complete$/,
  /^resources-(un)?subscribe$/,
];

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
  details?: { untestable?: boolean };
}

interface Scenario {
  name: string;
  checks: Check[];
}

const { values: options } = parseArgs({
  options: {
    url: { type: "string" },
    suite: { type: "string" },
    everything: { type: "boolean", default: false },
  },
});

const temporary = mkdtempSync(join(tmpdir(), "mcp-conformance-"));
try {
  process.exitCode = await main();
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

async function main(): Promise<number> {
  const suite = options.suite ?? join(temporary, "suite");
  const node = await installSuite(suite);
  const server = options.url === undefined ? await ownServer() : undefined;
  const key = server ? OWN_KEY : process.env.TOOL_TOKEN;
  if (key === undefined) throw new Error("Set TOOL_TOKEN to a key of the server.");
  const proxy = await keyedProxy(new URL(options.url ?? `${server?.url}/mcp`), key);
  let failed = 0;
  try {
    for (const revision of REVISIONS) {
      const output = join(temporary, revision);
      const program = join(suite, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
      await run(node, [program, "server", "--url", proxy.url, "--requirements", revision, "-o", output]);
      failed += report(revision, scenariosIn(output));
    }
  } finally {
    proxy.close();
    await server?.close();
  }
  return failed > 0 ? 1 : 0;
}

/** Installs the suite if it is missing, and returns the path of the Node to run it with. */
async function installSuite(directory: string): Promise<string> {
  const isNew = Number(process.versions.node.split(".")[0]) >= NODE_MAJOR;
  const nodePackage = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  if (!existsSync(join(directory, "node_modules"))) {
    mkdirSync(directory, { recursive: true });
    const packages = [SUITE, ...(isNew ? [] : [`${nodePackage}@${NODE_MAJOR}`])];
    await run("npm", [
      "install",
      "--prefix",
      directory,
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      ...packages,
    ]);
  }
  return isNew ? process.execPath : join(directory, "node_modules", nodePackage, "bin", "node");
}

function ownServer() {
  return startServer({
    config: {
      host: "127.0.0.1",
      port: 0,
      dataDirectory: join(temporary, "data"),
      plan: "enterprise",
      allowRemote: false,
      logLevel: "silent",
      owner: { email: "owner@localhost", apiKey: OWN_KEY },
    },
    log: createLog("silent"),
  });
}

/** Runs a program to its end. Ignores the exit code, since the suite writes its results to files. */
function run(command: string, words: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: ["ignore", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("close", () => resolve());
  });
}

function scenariosIn(output: string): Scenario[] {
  return readdirSync(output)
    .map((name) => ({
      name: name.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T.*$/, ""),
      checks: JSON.parse(readFileSync(join(output, name, "checks.json"), "utf8")) as Check[],
    }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** Prints a line for each scenario, and returns the number of failed checks. */
function report(revision: string, scenarios: readonly Scenario[]): number {
  const isLeftOut = ({ name }: Scenario) =>
    !options.everything && OF_TEST_SERVERS.some((each) => each.test(name));
  const judged = scenarios.filter((scenario) => !isLeftOut(scenario));
  if (judged.length === 0) throw new Error(`The suite ran nothing of ${revision}.`);
  let failed = 0;
  console.log(`\n${revision}${" ".repeat(34)}passed  failed  warned  left out`);
  for (const { name, checks } of judged) {
    const untestable = checks.filter(({ details }) => details?.untestable);
    const failures = checks.filter((check) => check.status === "FAILURE" && !untestable.includes(check));
    const count = (status: Check["status"]) => checks.filter((check) => check.status === status).length;
    const figures = [count("SUCCESS"), failures.length, count("WARNING"), untestable.length];
    console.log(`  ${name.padEnd(42)}${figures.map((figure) => String(figure).padStart(6)).join("  ")}`);
    for (const { id, errorMessage } of failures) console.log(`    ${id}: ${errorMessage}`);
    failed += failures.length;
  }
  const leftOut = scenarios.filter(isLeftOut).map(({ name }) => name);
  if (leftOut.length > 0) console.log(`  Left out, of servers made for the suite: ${leftOut.join(", ")}`);
  return failed;
}
