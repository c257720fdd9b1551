import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { scanRepository } from "../../../../src/cli/tools/graph/scan/scan.ts";
import { temporaryDirectory } from "../../../support/store.ts";

function directoryWith(files: Record<string, string>): string {
  const directory = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return directory;
}

/** `from → to`, in order. */
async function linesOf(directory: string): Promise<string[]> {
  const { relationships } = await scanRepository(directory);
  return relationships.map(({ from, to }) => `${from} → ${to}`).sort();
}

describe("a scan", () => {
  it("follows relative imports to the files that they mean", async () => {
    const directory = directoryWith({
      "src/a.ts": `import "./b.ts"; import "./c"; import "./d.js"; import "./e"; import "./data.json"; import "../lib/f.mjs?raw"`,
      "src/b.ts": "",
      "src/c.tsx": "",
      "src/d.ts": "",
      "src/e/index.js": "",
      "src/data.json": "{}",
      "lib/f.mjs": 'import "."',
    });
    const { entities, files, unresolved } = await scanRepository(directory);
    expect(await linesOf(directory)).toEqual([
      "src/a.ts → lib/f.mjs",
      "src/a.ts → src/b.ts",
      "src/a.ts → src/c.tsx",
      "src/a.ts → src/d.ts",
      "src/a.ts → src/data.json",
      "src/a.ts → src/e/index.js",
    ]);
    expect(files).toBe(6);
    expect(unresolved).toEqual([{ file: "lib/f.mjs", specifier: "." }]);
    expect(entities.every(({ type }) => type === "file")).toBe(true);
  });

  it("names packages and what Node brings, whatever of them is imported", async () => {
    const directory = directoryWith({
      "a.ts":
        'import "react"; import "react/jsx-runtime"; import "@scope/name/deep"; import "fs"; import "node:fs"; import "https://deno.land/x.ts"',
    });
    expect(await linesOf(directory)).toEqual([
      "a.ts → https://deno.land/x.ts",
      "a.ts → node:fs",
      "a.ts → npm:@scope/name",
      "a.ts → npm:react",
    ]);
  });

  it("knows the paths of tsconfig.json, inherited ones too, and the packages of a workspace", async () => {
    const directory = directoryWith({
      "tsconfig.base.json": '{ "compilerOptions": { "paths": { "@base/*": ["./base/*"] } } } // why',
      "base/x.ts": "",
      "web/tsconfig.json":
        '{ "extends": "../tsconfig.base", "compilerOptions": { /* why */ "baseUrl": "./src", }, }',
      "web/src/page.ts": 'import "@base/x"; import "lib/y"; import "@acme/core"; import "@acme/core/util"',
      "web/src/lib/y.ts": "",
      "app/tsconfig.json":
        '{ "compilerOptions": { "paths": { "~/*": ["src/*"], "~/exact": ["other.ts"] } } }',
      "app/main.ts": 'import "~/z"; import "~/exact"',
      "app/src/z.ts": "",
      "app/other.ts": "",
      "packages/core/package.json": '{ "name": "@acme/core" }',
      "packages/core/src/index.ts": "",
      "packages/core/util.ts": "",
    });
    expect(await linesOf(directory)).toEqual([
      "app/main.ts → app/other.ts",
      "app/main.ts → app/src/z.ts",
      "web/src/page.ts → base/x.ts",
      "web/src/page.ts → packages/core/src/index.ts",
      "web/src/page.ts → packages/core/util.ts",
      "web/src/page.ts → web/src/lib/y.ts",
    ]);
  });

  it("follows the imports of Python within the repository and out of it", async () => {
    const directory = directoryWith({
      "src/app/__init__.py": "",
      "src/app/main.py":
        "import os.path\nimport requests\nfrom . import models\nfrom .models import user\nfrom app.models.user import User\nfrom ..nowhere import x",
      "src/app/models/__init__.py": "from .user import User",
      "src/app/models/user.py": "",
      "scripts/run.py": "import app.main\nimport local",
      "scripts/local.py": "",
    });
    const { unresolved } = await scanRepository(directory);
    expect(await linesOf(directory)).toEqual([
      "scripts/run.py → scripts/local.py",
      "scripts/run.py → src/app/main.py",
      "src/app/main.py → python:os",
      "src/app/main.py → python:requests",
      "src/app/main.py → src/app/models/__init__.py",
      "src/app/main.py → src/app/models/user.py",
      "src/app/models/__init__.py → src/app/models/user.py",
    ]);
    expect(unresolved).toEqual([{ file: "src/app/main.py", specifier: "..nowhere" }]);
  });

  it("leaves out what git ignores, and names files from the top of the repository", async () => {
    const directory = directoryWith({
      ".gitignore": "dist/\n",
      "dist/bundle.js": 'import "a"',
      "node_modules/a/index.js": 'import "b"',
      "api/main.ts": 'import "../common/log.ts"',
      "common/log.ts": 'import "pino"',
    });
    execFileSync("git", ["init", "--quiet"], { cwd: directory });
    expect(await linesOf(directory)).toEqual(["api/main.ts → common/log.ts", "common/log.ts → npm:pino"]);
    const part = await scanRepository(join(directory, "api"));
    expect(part.relationships).toEqual([{ from: "api/main.ts", to: "common/log.ts", type: "imports" }]);
    expect(part.entities.map(({ id }) => id).sort()).toEqual(["api/main.ts", "common/log.ts"]);
  });
});
