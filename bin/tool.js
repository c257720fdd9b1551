#!/usr/bin/env node
// CommonJS (see package.json beside it), and plain enough for a Node that is too old to say so.
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`tool needs Node 20.19 or later; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  start();
}

function start() {
  const { existsSync } = require("node:fs");
  const { enableCompileCache } = require("node:module");
  const { join } = require("node:path");
  // Node 22 and later keep what they compiled; Node 20 has no such cache.
  if (enableCompileCache) enableCompileCache();
  const program = join(__dirname, "..", "dist", "cli.cjs");
  if (existsSync(program)) require(program).main();
  else {
    process.stderr.write("tool is not built yet. Run: npm run build\n");
    process.exitCode = 1;
  }
}
