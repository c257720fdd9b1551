#!/usr/bin/env node
// CommonJS (see package.json beside it), in syntax that old versions of Node parse, so that they print the error below.
/** Commands that scripts run often, which have a bundle of their own: `src/cli/quick.ts`. */
const QUICK = /^(track|events record) /;

const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`tool needs Node 20.19 or later; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  start();
}

function start() {
  settleHome();
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
  const caches = cacheDirectory();
  const cache = caches && join(caches, "compiled");
  if (QUICK.test(words.join(" ")) && load(join(__dirname, "..", "dist", "quick.cjs"), cache).start(words))
    return;
  load(program, cache).main();
}

/**
 * Makes the directories of the user absolute, as XDG asks: by an empty or relative one, credentials would be kept in
 * the working directory, and settings read from it. Without any, as for a user that the system does not know, the home is
 * one that nothing can be written to.
 */
function settleHome() {
  const { isAbsolute } = require("node:path");
  for (const name of ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"]) {
    if (process.env[name] !== undefined && !isAbsolute(process.env[name])) delete process.env[name];
  }
  const { devNull, homedir } = require("node:os");
  try {
    homedir();
  } catch {
    process.env.HOME = devNull;
  }
}

/** Prints the version without loading the program, since scripts often ask for it on every run. */
function printVersion() {
  process.stdout.on("error", ({ code, message }) => {
    // The reader may have closed the pipe.
    if (code === "EPIPE") return;
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  });
  process.stdout.write(`${require("../package.json").version}\n`);
}

/** Loads the program with a compile cache. */
function load(program, cache) {
  const { enableCompileCache } = require("node:module");
  const [command = ""] = process.argv.slice(2);
  if (!cache) return require(program);
  if (!enableCompileCache && /^[a-z-]{1,20}$/.test(command)) {
    return require("./compiled.js").requireCompiled(program, cache, command);
  }
  if (enableCompileCache && makePrivate(cache)) enableCompileCache(cache);
  return require(program);
}

/** Creates the directory for its owner only; Node would create it readable for everyone. */
function makePrivate(directory) {
  try {
    require("node:fs").mkdirSync(directory, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the user's cache directory as env-paths does; loading that package takes longer than the cache saves.
 * Undefined for a user without a home, as services have: none is made for them.
 */
function cacheDirectory() {
  const { join } = require("node:path");
  const home = require("node:os").homedir();
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (!XDG_CACHE_HOME && !require("node:fs").existsSync(home)) return undefined;
  if (process.platform === "darwin") return join(home, "Library", "Caches", "toolplane");
  if (process.platform === "win32") {
    return join(LOCALAPPDATA || join(home, "AppData", "Local"), "toolplane", "Cache");
  }
  return join(XDG_CACHE_HOME || join(home, ".cache"), "toolplane");
}
