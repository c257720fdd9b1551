#!/usr/bin/env node
// CommonJS (see package.json beside it), and plain enough for a Node that is too old to say so.
/** What scripts run again and again, where it is plainly said: `src/cli/quick.ts`. */
const QUICK = /^(track|events record) /;

const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`tool needs Node 20.19 or later; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  start();
}

function start() {
  const { existsSync } = require("node:fs");
  const { join } = require("node:path");
  const program = join(__dirname, "..", "dist", "cli.cjs");
  if (!existsSync(program)) {
    process.stderr.write("tool is not built yet. Run: npm run build\n");
    process.exitCode = 1;
    return;
  }
  const words = process.argv.slice(2);
  if (words.length === 1 && /^(-V|--version)$/.test(words[0])) return printVersion();
  const cache = join(cacheDirectory(), "compiled");
  if (QUICK.test(words.join(" ")) && load(join(__dirname, "..", "dist", "quick.cjs"), cache).start(words))
    return;
  load(program, cache).main();
}

/** Without loading the program: whoever asks is often a script that asks each time. */
function printVersion() {
  process.stdout.on("error", ({ code, message }) => {
    // Whoever asked may have stopped reading.
    if (code === "EPIPE") return;
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  });
  process.stdout.write(`${require("../package.json").version}\n`);
}

/** Loads the program, and keeps what was compiled of it for the next time. */
function load(program, cache) {
  const { enableCompileCache } = require("node:module");
  const [command = ""] = process.argv.slice(2);
  if (!enableCompileCache && /^[a-z-]{1,20}$/.test(command)) {
    return require("./compiled.js").requireCompiled(program, cache, command);
  }
  if (enableCompileCache && makePrivate(cache)) enableCompileCache(cache);
  return require(program);
}

/** Node would let everybody in. */
function makePrivate(directory) {
  try {
    require("node:fs").mkdirSync(directory, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/** The user's own, as env-paths finds it; loading that takes longer than this saves. */
function cacheDirectory() {
  const { join } = require("node:path");
  const home = require("node:os").homedir();
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (process.platform === "darwin") return join(home, "Library", "Caches", "toolplane");
  if (process.platform === "win32") {
    return join(LOCALAPPDATA || join(home, "AppData", "Local"), "toolplane", "Cache");
  }
  return join(XDG_CACHE_HOME || join(home, ".cache"), "toolplane");
}
