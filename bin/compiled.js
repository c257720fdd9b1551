/**
 * `require()` for the bundles in `dist/` that keeps what V8 compiled, a file for each command, in the user's
 * cache directory: compiling is half of what a short command costs. Node 22 and later do this themselves.
 */
const { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { basename, dirname, join } = require("node:path");
const vm = require("node:vm");

/** What a bundle calls for `import()`, which a script of `node:vm` has only as an experiment. */
const IMPORT = "./import.cjs";

/**
 * @param file a CommonJS bundle whose first line names its content.
 * @param cache the directory that caches lie in.
 * @param command what the bundle is loaded for: another command compiles other functions.
 */
function requireCompiled(file, cache, command) {
  // ASCII alone (scripts/build.js): at once, where "utf8" reads and decodes 8 KB at a time.
  const source = readFileSync(file).latin1Slice();
  // V8 looks at its own version and the length of the source alone.
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

/** A directory that can't be written costs time on every start and nothing else. */
function keep(cache, directory, file, script) {
  const temporary = `${file}.${process.pid}`;
  try {
    if (mkdirSync(directory, { recursive: true, mode: 0o700 })) removeOlder(cache, basename(directory));
    writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // What a full disk took of it would keep it full.
    try {
      rmSync(temporary, { force: true });
    } catch {}
  }
}

/** What other versions of the same bundle left. */
function removeOlder(cache, name) {
  const bundle = name.slice(0, name.lastIndexOf("-") + 1);
  for (const other of readdirSync(cache)) {
    if (other !== name && other.startsWith(bundle))
      rmSync(join(cache, other), { recursive: true, force: true });
  }
}

exports.requireCompiled = requireCompiled;
