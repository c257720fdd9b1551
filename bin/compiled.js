/**
 * `require()` for the bundles in `dist/` with a code cache for V8, one file per command, in the user's cache
 * directory. Compilation is half the time of a short command. Node 22 and later have a compile cache of their own.
 */
const { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { basename, dirname, join } = require("node:path");
const vm = require("node:vm");

/** The module that bundles use for `import()`, which is experimental in scripts of `node:vm`. */
const IMPORT = "./import.cjs";

/**
 * @param file a CommonJS bundle whose first line holds a hash of its content.
 * @param cache the directory of the caches.
 * @param command the command that the bundle is loaded for: each one compiles different functions.
 */
function requireCompiled(file, cache, command) {
  // Bundles are ASCII (scripts/build.js), so one read is enough; "utf8" would read and decode 8 KB at a time.
  const source = readFileSync(file).latin1Slice();
  // V8 only checks its own version and the length of the source, so the path includes the content's hash.
  const directory = join(cache, `${basename(file)}-${source.slice(3, 19)}`);
  const kept = join(directory, `${command}-${process.version}-${process.arch}`);
  const cachedData = readIfThere(kept);
  const script = new vm.Script(Module.wrap(source), {
    filename: file,
    cachedData,
  });
  if (!cachedData || script.cachedDataRejected) {
    process.once("exit", (code) => {
      if (code === 0) keep(cache, directory, kept, script);
    });
  }
  const folder = dirname(file);
  const plainRequire = Module.createRequire(file);
  const require = (id) =>
    id.startsWith("./") && id !== IMPORT
      ? requireCompiled(join(folder, id), cache, command)
      : plainRequire(id);
  const module = { exports: {} };
  script
    .runInThisContext()
    .call(module.exports, module.exports, Object.assign(require, plainRequire), module, file, folder);
  return module.exports;
}

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Writes the cache. A failure is ignored: it only makes every start slower. */
function keep(cache, directory, file, script) {
  const temporary = `${file}.${process.pid}`;
  try {
    if (mkdirSync(directory, { recursive: true, mode: 0o700 })) removeOlder(cache, basename(directory));
    writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // Remove a partial file, so that it does not keep a full disk full.
    try {
      rmSync(temporary, { force: true });
    } catch {}
  }
}

/** Removes the caches of other versions of the same bundle. */
function removeOlder(cache, name) {
  const bundle = name.slice(0, name.lastIndexOf("-") + 1);
  for (const other of readdirSync(cache)) {
    if (other !== name && other.startsWith(bundle))
      rmSync(join(cache, other), { recursive: true, force: true });
  }
}

exports.requireCompiled = requireCompiled;
