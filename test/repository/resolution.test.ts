import { describe, expect, it } from "vitest";
import { openRepository } from "../../src/repository/open-repository.ts";
import { directoryWith } from "./directory.ts";

/** Returns sorted lines `from → to` of all edges, those to packages included. */
async function linesOf(directory: string): Promise<string[]> {
  const { edges, packages } = await openRepository(directory);
  const outside = packages.map(({ from, id }) => `${from} → ${id}`);
  return [...edges.map(({ from, to }) => `${from} → ${to}`), ...outside].sort();
}

describe("openRepository() resolving imports", () => {
  it("follows relative imports with and without extensions", async () => {
    const directory = directoryWith({
      "src/a.ts": `import "./b.ts"; import "./c"; import "./d.js"; import "./e"; import "./data.json"; import "../lib/f.mjs?raw"`,
      "src/b.ts": "",
      "src/c.tsx": "",
      "src/d.ts": "",
      "src/e/index.js": "",
      "src/data.json": "{}",
      "lib/f.mjs": 'import "."',
    });
    const { files, missing } = await openRepository(directory);
    expect(await linesOf(directory)).toEqual([
      "src/a.ts → lib/f.mjs",
      "src/a.ts → src/b.ts",
      "src/a.ts → src/c.tsx",
      "src/a.ts → src/d.ts",
      "src/a.ts → src/data.json",
      "src/a.ts → src/e/index.js",
    ]);
    expect(files.size).toBe(7);
    expect(missing).toEqual([{ from: "lib/f.mjs", module: "." }]);
  });

  it("names packages, Node modules and URLs without subpaths", async () => {
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

  it("resolves the paths of tsconfig.json, inherited ones too, and workspace packages", async () => {
    const directory = directoryWith({
      "tsconfig.base.json": '{ "compilerOptions": { "paths": { "@base/*": ["./base/*"] } } } // why',
      "base/x.ts": "",
      "z.css": "",
      "web/tsconfig.json":
        '{ "extends": "../tsconfig.base", "compilerOptions": { /* why */ "baseUrl": "./src", }, }',
      "web/src/page.ts":
        'import "@base/x"; import "@base/../z.css"; import "lib/y"; import "@acme/core"; import "@acme/core/util"',
      "web/src/lib/y.ts": "",
      "app/tsconfig.json":
        '{ "compilerOptions": { "paths": { "~/*": ["src/*"], "~/exact": ["other.ts"] } } }',
      "app/main.ts": 'import "~/z"; import "~/exact"',
      "app/src/z.ts": "",
      "app/other.ts": "",
      "package.json": '{ "workspaces": ["packages/*"] }',
      "packages/core/package.json": '{ "name": "@acme/core" }',
      "fixtures/core/package.json": '{ "name": "@acme/core" }',
      "fixtures/core/util.ts": "",
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
      "web/src/page.ts → z.css",
    ]);
  });

  it("resolves the aliases of SvelteKit and Nuxt, and `@/` by convention", async () => {
    const directory = directoryWith({
      "kit/svelte.config.js": "export default {}",
      "kit/tsconfig.json": '{ "extends": "./.svelte-kit/tsconfig.json" }',
      "kit/src/routes/+page.svelte":
        '<script>import a from "$lib/a"; import "$lib"; import "$lib/gone"</script>',
      "kit/src/lib/a.ts": "",
      "kit/src/lib/index.ts": "",
      "nuxt/nuxt.config.ts": "export default defineNuxtConfig({})",
      "nuxt/app/pages/index.vue":
        '<script setup>import "~/b"; import "@/b"; import "~~/c"; import "#shared/d"</script>',
      "nuxt/app/b.ts": "",
      "nuxt/c.ts": "",
      "nuxt/shared/d.ts": "",
      "old/nuxt.config.js": "export default { srcDir: 'client/' }",
      "old/client/pages/a.vue": '<script>import "~/e"</script>',
      "old/client/e.js": "",
      "vue/package.json": "{}",
      "vue/src/main.js": 'import "@/App.vue"; import "@scope/name"; import "~/none"',
      "vue/src/App.vue": "",
      "laravel/package.json": "{}",
      "laravel/resources/js/app.js": 'import "@/f"',
      "laravel/resources/js/f.js": "",
    });
    const { missing } = await openRepository(directory);
    expect(await linesOf(directory)).toEqual([
      "kit/src/routes/+page.svelte → kit/src/lib/a.ts",
      "kit/src/routes/+page.svelte → kit/src/lib/index.ts",
      "laravel/resources/js/app.js → laravel/resources/js/f.js",
      "nuxt/app/pages/index.vue → nuxt/app/b.ts",
      "nuxt/app/pages/index.vue → nuxt/c.ts",
      "nuxt/app/pages/index.vue → nuxt/shared/d.ts",
      "old/client/pages/a.vue → old/client/e.js",
      "vue/src/main.js → npm:@scope/name",
      "vue/src/main.js → vue/src/App.vue",
    ]);
    expect(missing).toEqual([
      { from: "kit/src/routes/+page.svelte", module: "$lib/gone" },
      { from: "vue/src/main.js", module: "~/none" },
    ]);
  });

  it("follows Nuxt's automatic imports of components and functions", async () => {
    const component = (body: string, script = "") =>
      `<script setup lang="ts">${script}</script>\n<template><div>${body}</div></template>`;
    const files = {
      "app/pages/index.vue": component(
        '<AccountCard :name="shownName(user)" /><base-button /><LazyTheFooter /><RouterLink />',
        'import { useRoute } from "./own"; const user = useUser(); useRoute(); const local = 1; user.other()',
      ),
      "app/pages/own.ts": "",
      "app/components/account/AccountCard.vue": component("{{ other() }}"),
      "app/components/base/button/index.vue": component(""),
      "app/components/TheFooter.client.vue": component(""),
      "app/composables/user.ts": "export const useUser = () => fetched();\nexport function other() {}",
      "app/composables/route.ts": "export function useRoute() {}",
      "app/utils/names.ts": "export function shownName() {}",
      "app/utils/fetched.ts": "export function fetched() {}",
    };
    expect(await linesOf(directoryWith({ ...files, "nuxt.config.ts": "" }))).toEqual([
      "app/components/account/AccountCard.vue → app/composables/user.ts",
      "app/composables/user.ts → app/utils/fetched.ts",
      "app/pages/index.vue → app/components/TheFooter.client.vue",
      "app/pages/index.vue → app/components/account/AccountCard.vue",
      "app/pages/index.vue → app/components/base/button/index.vue",
      "app/pages/index.vue → app/composables/user.ts",
      "app/pages/index.vue → app/pages/own.ts",
      "app/pages/index.vue → app/utils/names.ts",
    ]);
    expect(await linesOf(directoryWith(files))).toEqual(["app/pages/index.vue → app/pages/own.ts"]);
  });

  it("resolves package exports and # imports, and built files to their sources", async () => {
    const directory = directoryWith({
      "pnpm-workspace.yaml": "packages:\n  - 'libs/**' # all\n  - '!libs/old'\n",
      "libs/a/package.json": JSON.stringify({
        name: "a",
        exports: {
          ".": { types: "./dist/index.d.ts", import: "./dist/index.js" },
          "./deep/*": "./dist/inner/*.js",
          "./only": { node: "./only.js", default: "./other.js" },
        },
        imports: { "#own/*": "./src/own/*.ts", "#pkg": "zod" },
      }),
      "libs/a/src/index.ts": "import '#own/x'; import '#pkg'; import '#gone'; import 'a/only'",
      "libs/a/src/inner/y.ts": "",
      "libs/a/src/own/x.ts": "",
      "libs/a/only.js": "",
      "libs/b/package.json": '{ "name": "b", "main": "lib/main.js" }',
      "libs/b/lib/main.js": "require('a'); require('a/deep/y'); require('a/hidden'); require('old')",
      "libs/old/package.json": '{ "name": "old", "main": "index.js" }',
      "libs/old/index.js": "require('b')",
    });
    const { missing } = await openRepository(directory);
    expect(await linesOf(directory)).toEqual([
      "libs/a/src/index.ts → libs/a/only.js",
      "libs/a/src/index.ts → libs/a/src/own/x.ts",
      "libs/b/lib/main.js → libs/a/src/index.ts",
      "libs/b/lib/main.js → libs/a/src/inner/y.ts",
      "libs/b/lib/main.js → npm:a",
      "libs/b/lib/main.js → npm:old",
      "libs/old/index.js → libs/b/lib/main.js",
    ]);
    expect(missing.map(({ module }) => module)).toEqual(["#pkg", "#gone"]);
  });

  it("reads references of a tsconfig, even circular ones", async () => {
    const directory = directoryWith({
      "tsconfig.json": '{ "references": [{ "path": "./tsconfig.app.json" }, { "path": "./tsconfig.json" }] }',
      "tsconfig.app.json":
        '{ "extends": "./tsconfig.json", "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      "src/a.vue":
        "<template><p>It's</p></template>\n<script setup lang='ts'>\nimport b from '@/b'\n</script>",
      "src/b.ts": "",
    });
    expect(await linesOf(directory)).toEqual(["src/a.vue → src/b.ts"]);
  });

  it.each([
    ["@acme/config", '{ "name": "@acme/config", "main": "base.json" }'],
    ["@acme/config", '{ "name": "@acme/config" }'],
    ["@acme/config/base.json", '{ "name": "@acme/config" }'],
    ["@acme/config/base", '{ "name": "@acme/config" }'],
    ["@acme/config/next", '{ "name": "@acme/config", "exports": { "./next": "./base.json" } }'],
  ])("reads a tsconfig that extends %j from a workspace package, %s", async (name, manifest) => {
    const mapping = '{ "compilerOptions": { "paths": { "~lib/*": ["../../apps/web/src/lib/*"] } } }';
    const directory = directoryWith({
      "package.json": '{ "workspaces": ["packages/*", "apps/*"] }',
      "packages/config/package.json": manifest,
      "packages/config/base.json": mapping,
      "packages/config/tsconfig.json": mapping,
      "apps/web/package.json": '{ "name": "web" }',
      "apps/web/tsconfig.json": `{ "extends": "${name}" }`,
      "apps/web/src/x.ts": 'import "~lib/a"',
      "apps/web/src/lib/a.ts": "",
    });
    expect(await linesOf(directory)).toEqual(["apps/web/src/x.ts → apps/web/src/lib/a.ts"]);
  });

  it("follows absolute and relative Python imports", async () => {
    const directory = directoryWith({
      "pyproject.toml": "",
      "src/app/__init__.py": "",
      "src/app/main.py":
        "import os.path\nimport typing\nimport requests\nfrom . import models, nothing\nfrom .models import user\nfrom app.models.user import User\nfrom ..nowhere import x",
      "src/app/typing.py": "import app",
      "src/app/requests.py": "",
      "src/app/models/__init__.py": "from .user import User\nfrom .. import typing",
      "src/app/models/user.py": "from ....too.far import x",
      "src/spread/part/piece.py": "import spread.part\nfrom spread.part import piece",
      "scripts/run.py": "import app.main\nimport local\nimport docker\nfrom docker import missing",
      "scripts/local.py": "",
      "docker/build.py": "from docker.build import x\nfrom spread.part.piece import y",
    });
    const { missing } = await openRepository(directory);
    expect(await linesOf(directory)).toEqual([
      "docker/build.py → src/spread/part/piece.py",
      "scripts/run.py → python:docker",
      "scripts/run.py → scripts/local.py",
      "scripts/run.py → src/app/main.py",
      "src/app/main.py → python:os",
      "src/app/main.py → python:requests",
      "src/app/main.py → python:typing",
      "src/app/main.py → src/app/__init__.py",
      "src/app/main.py → src/app/models/__init__.py",
      "src/app/main.py → src/app/models/user.py",
      "src/app/models/__init__.py → src/app/models/user.py",
      "src/app/models/__init__.py → src/app/typing.py",
      "src/app/typing.py → src/app/__init__.py",
      "src/spread/part/piece.py → python:spread",
    ]);
    expect(missing).toEqual([
      { from: "src/app/main.py", module: "..nowhere" },
      { from: "src/app/models/user.py", module: "....too.far" },
    ]);
  });

  it("follows the fixtures of pytest from tests to the nearest conftest.py that has them", async () => {
    const directory = directoryWith({
      "shop/__init__.py": "",
      "shop/app.py": "",
      "tests/conftest.py":
        'import pytest\nfrom shop import app\nfrom tests.carts import *\nfrom tests.people import owner\npytest_plugins = ["tests.mails"]\n\n@pytest.fixture(\n    scope="session",\n)\ndef client():\n    yield app\n\n@pytest.fixture(name="db")\nasync def open_db(client): ...\n\ndef helper(): ...\n',
      "tests/carts.py": "import pytest\n\n@pytest.fixture\ndef cart(): ...\n",
      "tests/people.py": "from pytest import fixture\n\n@fixture()\ndef owner(): ...\n",
      "tests/mails.py": "import pytest_asyncio\n\n@pytest_asyncio.fixture\nasync def outbox(): ...\n",
      "tests/test_client.py": "async def test_get(client: Client): ...\n",
      "tests/test_db.py":
        "class TestDb:\n    def test_rows(\n        self,\n        db,  # why\n    ): ...\n",
      "tests/test_cart.py": "def test_cart(cart): ...\n",
      "tests/test_owner.py": '@pytest.mark.usefixtures("outbox", "owner")\ndef test_owner(): ...\n',
      "tests/test_mail.py": 'def test_mail(request):\n    request.getfixturevalue("outbox")\n',
      // Neither a helper's parameters, nor those with a default, nor a fixture of the file's own.
      "tests/test_plain.py":
        "import pytest\n\n@pytest.fixture\ndef cart(): ...\n\ndef make(client): ...\n\ndef test_plain(cart, helper, open_db, db=None): ...\n",
      "tests/near/conftest.py": "import pytest\n\n@pytest.fixture\ndef client(client): ...\n",
      "tests/near/test_near.py": "def test_near(client): ...\n",
      "tests/each/conftest.py": "import pytest\n\n@pytest.fixture(autouse=True)\ndef clock(): ...\n",
      "tests/each/test_each.py": "def test_each(): ...\n",
      "tests/each/helpers.py": "def make(client): ...\n",
      "other/test_other.py": "def test_other(client): ...\n",
    });
    const isBetweenFiles = (line: string) => !line.includes("python:");
    expect((await linesOf(directory)).filter(isBetweenFiles)).toEqual([
      "tests/conftest.py → shop/app.py",
      "tests/conftest.py → tests/carts.py",
      "tests/conftest.py → tests/mails.py",
      "tests/conftest.py → tests/people.py",
      "tests/each/test_each.py → tests/each/conftest.py",
      "tests/near/conftest.py → tests/conftest.py",
      "tests/near/test_near.py → tests/near/conftest.py",
      "tests/test_cart.py → tests/conftest.py",
      "tests/test_client.py → tests/conftest.py",
      "tests/test_db.py → tests/conftest.py",
      "tests/test_mail.py → tests/conftest.py",
      "tests/test_owner.py → tests/conftest.py",
    ]);
  });

  it("takes what a package in a namespace is named after for installed", async () => {
    const files = (name: string) => ({
      "cache/pyproject.toml": `[project]\nname = "${name}"\n`,
      "cache/src/acme/redis/__init__.py":
        "import redis\nfrom redis import client\nfrom acme.redis import keys",
      "cache/src/acme/redis/keys.py": "from redis.commands import core",
      "cache/src/acme/redis/client.py": "",
    });
    const within = "cache/src/acme/redis/__init__.py → cache/src/acme/redis";
    expect(await linesOf(directoryWith(files("acme-redis")))).toEqual([
      `${within}/keys.py`,
      "cache/src/acme/redis/__init__.py → python:redis",
      "cache/src/acme/redis/keys.py → python:redis",
    ]);
    expect((await openRepository(directoryWith(files("acme-redis")))).missing).toEqual([]);
    // Otherwise `acme` may be a directory in which an application is started.
    expect(await linesOf(directoryWith(files("shop")))).toContain(`${within}/client.py`);
    const flat = directoryWith({
      "setup.py": 'setup(name="Acme_Tools.redis", packages=find_namespace_packages())',
      "acme_tools/redis/__init__.py": "import redis\nfrom acme_tools.redis import keys",
      "acme_tools/redis/keys.py": "",
      "tests/unit/__init__.py": "",
      "tests/unit/test_keys.py": "import unit.helpers\nimport acme_tools.redis.keys",
      "tests/unit/helpers.py": "",
    });
    expect(await linesOf(flat)).toEqual([
      "acme_tools/redis/__init__.py → acme_tools/redis/keys.py",
      "acme_tools/redis/__init__.py → python:redis",
      "tests/unit/test_keys.py → acme_tools/redis/keys.py",
      "tests/unit/test_keys.py → tests/unit/helpers.py",
    ]);
  });

  it("finds Go packages by module, and their files by the names that are used", async () => {
    const directory = directoryWith({
      "go.mod": "module example.org/shop\n\nreplace example.org/lib => ./lib\n",
      "main.go":
        'package main\n\nimport (\n\t"fmt"\n\tst "example.org/shop/store"\n\t_ "example.org/shop/side"\n\t"github.com/a/b/c"\n\t"example.org/lib/x"\n)\n\nfunc main() { st.Open(); helper(); fmt.Println("store.Close") }\n',
      "helper.go": "package main\n\nfunc helper() {}\n",
      "store/open.go": "package store\n\nfunc Open() *DB { return nil }\n",
      "store/close.go": "package store\n\nfunc Close() {}\n",
      "store/db.go": "package store\n\ntype DB struct{}\n\nfunc (d *DB) Open() { Close() }\n",
      "store/store_test.go": 'package store\n\nimport "testing"\n\nfunc TestOpen(t *testing.T) { Open() }\n',
      "side/a.go": "package side\n",
      "side/b.go": "package side\n",
      "lib/go.mod": "module example.org/lib\n",
      "lib/x/x.go": "package x\n",
    });
    expect(await linesOf(directory)).toEqual([
      "main.go → go:fmt",
      "main.go → go:github.com/a/b",
      "main.go → helper.go",
      "main.go → lib/x/x.go",
      "main.go → side/a.go",
      "main.go → side/b.go",
      "main.go → store/open.go",
      "store/db.go → store/close.go",
      "store/open.go → store/db.go",
      "store/store_test.go → go:testing",
      "store/store_test.go → store/open.go",
    ]);
  });

  it("follows Rust modules through the crates of a workspace", async () => {
    const directory = directoryWith({
      "Cargo.toml": '[workspace]\nmembers = ["core", "app"]\n',
      "core/Cargo.toml": '[package]\nname = "shop-core"\n',
      "core/src/lib.rs": "pub mod a;\nmod b { pub mod c; }\nmod gone;\n",
      "core/src/a/mod.rs": "pub mod inner;\nuse super::b::c::X;\nuse self::inner::{self, Y};\n",
      "core/src/a/inner.rs":
        "fn f() { crate::b::c::g() }\n#[cfg(test)]\nmod tests { use super::*; use super::super::x; }\n",
      "core/src/b/c.rs": "",
      "app/Cargo.toml":
        '[package]\nname = "app"\n[dependencies]\nshop-core = { path = "../core" }\nserde = "1"\n',
      "app/src/main.rs":
        '#[path = "other.rs"]\nmod named;\nuse shop_core::a::inner::Y;\nuse serde::Serialize;\nuse std::fs;\n',
      "app/src/other.rs": "",
      "app/tests/it.rs": "use app_helpers::x;\nuse shop_core::b;\n",
    });
    const { missing } = await openRepository(directory);
    expect(await linesOf(directory)).toEqual([
      "app/src/main.rs → app/src/other.rs",
      "app/src/main.rs → core/src/a/inner.rs",
      "app/src/main.rs → rust:serde",
      "app/src/main.rs → rust:std",
      "app/tests/it.rs → core/src/lib.rs",
      "core/src/a/inner.rs → core/src/a/mod.rs",
      "core/src/a/inner.rs → core/src/b/c.rs",
      "core/src/a/mod.rs → core/src/a/inner.rs",
      "core/src/a/mod.rs → core/src/b/c.rs",
      "core/src/lib.rs → core/src/a/mod.rs",
      "core/src/lib.rs → core/src/b/c.rs",
    ]);
    expect(missing).toEqual([{ from: "core/src/lib.rs", module: "mod gone" }]);
  });

  it("leads from tests to the files that vitest, jest and Playwright run before and after them", async () => {
    const directory = directoryWith({
      "vitest.config.ts":
        'export default { test: {\n  setupFiles: [\n    "./test/setup.ts",\n    "no-such-package",\n  ],\n  // globalSetup: "support/old.ts",\n  globalSetup: fileURLToPath(new URL("test/global.ts", import.meta.url)) } };',
      "test/setup.ts": "import '../src/shop';",
      "test/global.ts": "",
      "support/old.ts": "",
      "src/shop.ts": "",
      "src/shop.test.ts": "",
      "packages/web/package.json":
        '{ "jest": { "setupFilesAfterEnv": ["<rootDir>/test/setup-jest.js"], "globalTeardown": "./test/end" } }',
      "packages/web/test/setup-jest.js": "",
      "packages/web/test/end.js": "",
      "packages/web/test/cart.spec.js": "require('../cart');",
      "packages/web/cart.js": "",
      "e2e/config/playwright.ci.config.ts":
        "export default defineConfig({ rootDir: '..', globalSetup: require.resolve('./login') });",
      "e2e/config/login.ts": "",
      "e2e/buy.spec.ts": "",
    });
    expect((await linesOf(directory)).sort()).toEqual([
      "e2e/buy.spec.ts → e2e/config/login.ts",
      "packages/web/test/cart.spec.js → packages/web/cart.js",
      "packages/web/test/cart.spec.js → packages/web/test/end.js",
      "packages/web/test/cart.spec.js → packages/web/test/setup-jest.js",
      "src/shop.test.ts → test/global.ts",
      "src/shop.test.ts → test/setup.ts",
      "test/setup.ts → src/shop.ts",
    ]);
  });

  it("finds macros of a Rust crate without an import, and modules named by raw identifiers", async () => {
    const directory = directoryWith({
      "Cargo.toml": '[package]\nname = "shop"\n',
      "src/lib.rs": "#[macro_use]\nmod macros;\nmod cart;\nmod r#type;\n",
      "src/macros.rs": "macro_rules! ensure { () => {}; }\nmacro_rules! own { () => {}; }\n",
      "src/cart.rs":
        "use crate::r#type::Kind;\nmacro_rules! own { () => {}; }\nfn add(a: Kind) { ensure!(); own!(); assert!(a != 1); }\n",
      "src/type.rs": "pub struct Kind;\nfn f() { let ensure = 1; if ensure != 2 {} }\n",
    });
    expect(await linesOf(directory)).toEqual([
      "src/cart.rs → src/macros.rs",
      "src/cart.rs → src/type.rs",
      "src/lib.rs → src/cart.rs",
      "src/lib.rs → src/macros.rs",
      "src/lib.rs → src/type.rs",
    ]);
  });

  it("follows no macro of Rust and no method of Go that more than 64 files define", async () => {
    const all = Array.from({ length: 65 }, (_, at) => at);
    const rust = (count: number) => ({
      "Cargo.toml": '[package]\nname = "shop"\n',
      "src/lib.rs": `mod cart;\n${all.map((at) => `mod a${at};\n`).join("")}`,
      "src/cart.rs": "fn add() { check!(); }\n",
      ...Object.fromEntries(
        all.map((at) => [`src/a${at}.rs`, at < count ? "macro_rules! check { () => {}; }\n" : ""]),
      ),
    });
    const go = (count: number) => ({
      "go.mod": "module shop.example\n",
      "types.go": `package shop\n${all.map((at) => `type T${at} int\n`).join("")}`,
      "cart.go": "package shop\nfunc add(x any) { x.Close() }\n",
      ...Object.fromEntries(
        all.map((at) => [`a${at}.go`, `package shop\n${at < count ? `func (t T${at}) Close() {}\n` : ""}`]),
      ),
    });
    for (const files of [rust, go]) {
      const found = async (count: number) =>
        (await linesOf(directoryWith(files(count)))).filter((line) => /cart\.\w+ → /.test(line));
      expect(await found(64)).toHaveLength(64);
      expect(await found(65)).toEqual([]);
    }
  });

  it("finds Java classes by package, neighbours by use, and static members by class", async () => {
    const root = "src/main/java/org/shop";
    const directory = directoryWith({
      [`${root}/Main.java`]:
        'package org.shop;\nimport java.util.List;\nimport org.shop.store.Store;\nimport org.shop.more.*;\nimport static org.shop.store.Keys.KEY;\nimport com.acme.lib.Thing;\nclass Main { Helper helper; Extra extra; String s = "Other"; }',
      [`${root}/Helper.java`]: "package org.shop;\nclass Helper {}\nclass Second {}",
      [`${root}/Other.java`]:
        "package org.shop;\nclass Other { Second second; org.shop.more.Extra extra = new org.shop.store.Keys.Inner(); }",
      [`${root}/store/Store.java`]: "package org.shop.store;\npublic class Store { Keys.Inner inner; }",
      [`${root}/store/Keys.java`]:
        "package org.shop.store;\npublic class Keys { static int KEY; class Inner {} }",
      [`${root}/more/Extra.java`]: "package org.shop.more;\npublic class Extra {}",
      [`${root}/more/Unused.java`]: "package org.shop.more;\npublic class Unused {}",
    });
    const lines = (await linesOf(directory)).map((line) => line.replaceAll(`${root}/`, ""));
    expect(lines.sort()).toEqual([
      "Main.java → Helper.java",
      "Main.java → java:com.acme.lib",
      "Main.java → java:java.util",
      "Main.java → more/Extra.java",
      "Main.java → store/Keys.java",
      "Main.java → store/Store.java",
      "Other.java → Helper.java",
      "Other.java → more/Extra.java",
      "Other.java → store/Keys.java",
      "store/Store.java → store/Keys.java",
    ]);
  });

  it("lets a class within another hide no class of its name that a whole package brings in", async () => {
    const directory = directoryWith({
      "src/shop/Main.java":
        "package shop; import shop.less.Lid; import shop.more.*;\nclass Main { Theme theme; Menu menu; }",
      "src/shop/Settings.java":
        "package shop;\nclass Settings {\n  void load() {}\n  static class Theme {\n  }\n}\nclass Menu {}",
      "src/shop/more/Theme.java": "package shop.more;\npublic class Theme {}",
      "src/shop/less/Lid.java": "package shop.less;\npublic class Lid {}",
      "src/shop/more/Menu.java": "package shop.more;\npublic class Menu {}",
    });
    const lines = await linesOf(directory);
    expect(lines).toContain("src/shop/Main.java → src/shop/more/Theme.java");
    expect(lines).toContain("src/shop/Main.java → src/shop/less/Lid.java");
    expect(lines).not.toContain("src/shop/Main.java → src/shop/more/Menu.java");
  });
});
