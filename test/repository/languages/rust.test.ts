import { expect, it } from "vitest";
import { openRepository } from "../../../src/repository/open-repository.ts";
import { directoryWith } from "../directory.ts";

async function readingOf(files: Record<string, string>) {
  const all = { "Cargo.toml": '[package]\nname = "shop"\n', ...files };
  const { edges, missing } = await openRepository(directoryWith(all));
  return [
    ...edges.map(({ from, to }) => `${from} → ${to}`),
    ...missing.map(({ module }) => `missing ${module}`),
  ];
}

it("a module is in the file that its attribute names, from the module around it in the file", async () => {
  const files = {
    "src/lib.rs":
      '#[path = "other.rs"]\n#[allow(dead_code)]\npub(crate) mod named;\nmod outer;\nmod inner {\n  #[path = "deep.rs"]\n  mod named;\n}\n#[path = "gone.rs"]\nmod lost;\n',
    "src/other.rs": "use crate::inner::named::X;\n",
    "src/named.rs": "",
    "src/outer.rs": '#[path = "beside.rs"]\nmod a;\nmod b {\n  #[path = "c.rs"]\n  mod c;\n}\n',
    "src/inner/deep.rs": "",
    "src/beside.rs": "",
    "src/outer/b/c.rs": "",
    "src/outer/c.rs": "",
  };
  expect(await readingOf(files)).toEqual([
    "src/lib.rs → src/inner/deep.rs",
    "src/lib.rs → src/other.rs",
    "src/lib.rs → src/outer.rs",
    "src/other.rs → src/inner/deep.rs",
    "src/outer.rs → src/beside.rs",
    "src/outer.rs → src/outer/b/c.rs",
    "missing mod lost",
  ]);
});

it("a module that depends on the system is in each of the files that attributes name", async () => {
  const files = {
    "src/lib.rs":
      '// Why.\n#[cfg_attr(unix, path = "sys/unix.rs")]\n#[cfg_attr(all(windows, feature = "x"), path = "sys/windows.rs")]\n// And the rest.\nmod sys; #[path = "one.rs"] mod one; mod two;\n#[cfg_attr(\n    any(target_os = "a", b),\n    path = "sys/wide.rs"\n)]\n#[cfg(x)]\nmod wide;\n#[cfg_attr(wasi, path = "sys/wasi.rs")]\nmod net;\n#[cfg_attr(no, path = "gone.rs")]\nmod gone;\n',
    "src/sys/unix.rs": "",
    "src/sys/windows.rs": "",
    "src/sys/wasi.rs": "",
    "src/sys/wide.rs": "",
    "src/one.rs": "",
    "src/two.rs": "",
    "src/net.rs": "",
    "src/sys.rs": "",
  };
  expect(await readingOf(files)).toEqual([
    "src/lib.rs → src/net.rs",
    "src/lib.rs → src/one.rs",
    "src/lib.rs → src/sys.rs",
    "src/lib.rs → src/sys/unix.rs",
    "src/lib.rs → src/sys/wasi.rs",
    "src/lib.rs → src/sys/wide.rs",
    "src/lib.rs → src/sys/windows.rs",
    "src/lib.rs → src/two.rs",
    "missing mod gone",
  ]);
});

it("a file that is included is part of the module that includes it", async () => {
  const files = {
    "src/lib.rs": 'mod tables;\nmod item;\n#[doc = include_str!("../README.md")]\npub struct Doc;\n',
    "src/tables.rs":
      'include!("tables/made.rs");\nconst SQL: &str = include_str! ["../sql/a.sql"];\nconst B: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/sql/b.bin"));\ninclude!(concat!(env!("OUT_DIR"), "/sql/c.rs"));\n// include!("tables/ghost.rs");\n',
    "src/tables/made.rs": "use super::item::Item;\n",
    "src/tables/ghost.rs": "",
    "src/item.rs": "use crate::tables::Row;\n",
    "sql/a.sql": "",
    "sql/b.bin": "",
    "sql/c.rs": "",
    "README.md": "",
  };
  expect(await readingOf(files)).toEqual([
    "src/item.rs → src/tables.rs",
    "src/lib.rs → src/item.rs",
    "src/lib.rs → src/tables.rs",
    "src/tables.rs → sql/a.sql",
    "src/tables.rs → sql/b.bin",
    "src/tables.rs → src/tables/made.rs",
    "src/tables/made.rs → src/item.rs",
  ]);
});
