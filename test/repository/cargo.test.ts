import { describe, expect, it } from "vitest";
import { openRepository } from "../../src/repository/open-repository.ts";
import { testCommands } from "../../src/repository/tests/test-commands.ts";
import { directoryWith } from "./directory.ts";

const UNIT = "#[cfg(test)]\nmod tests {\n  #[test]\n  fn works() {}\n}\n";
const TEST = "#[test]\nfn works() {}\n";
const MANIFEST = '[package]\nname = "x"\nedition = "2021"\n';

async function testsOf(files: Record<string, string>) {
  const repository = await openRepository(directoryWith({ "Cargo.toml": MANIFEST, ...files }));
  const all = [...repository.files.values()];
  const paths = all.filter(({ isTest, holdsTests }) => isTest || holdsTests).map(({ path }) => path);
  const commands = testCommands(repository, paths).map(
    ({ directory, command }) => `${directory}: ${command}`,
  );
  return { tests: all.filter(({ isTest }) => isTest).map(({ path }) => path), commands };
}

describe("the tests of a Cargo package", () => {
  it.each<[string, Record<string, string>, string]>([
    ["of its library, beside what they test", { "src/lib.rs": "mod a;", "src/a.rs": UNIT }, "--lib"],
    [
      "of its library, in a file of their own",
      { "src/lib.rs": "#[cfg(test)]\nmod tests;", "src/tests.rs": TEST },
      "--lib",
    ],
    ["of its program", { "src/main.rs": "mod a;\nfn main() {}", "src/a.rs": UNIT }, "--bins"],
    [
      "of a program that the manifest names",
      {
        "Cargo.toml": `${MANIFEST}[[bin]]\nname = "x"\npath = "core/main.rs"`,
        "core/main.rs": "mod a;",
        "core/a.rs": UNIT,
      },
      "--bins",
    ],
    ["with asynchronous ones", { "src/lib.rs": "#[tokio::test]\nasync fn works() {}" }, "--lib"],
    [
      "made by a macro of the same file",
      {
        "src/lib.rs":
          "macro_rules! parses {\n  ($n:ident) => {\n    #[test]\n    fn $n() {}\n  };\n}\nparses!(a);\n",
      },
      "--lib",
    ],
    ["found by Cargo, one by one", { "tests/a.rs": TEST, "tests/b/main.rs": TEST }, "--test a --test b"],
    [
      "of a module that two of them have",
      {
        "tests/a.rs": `mod common;\n${TEST}`,
        "tests/b.rs": `mod common;\n${TEST}`,
        "tests/common/mod.rs": "pub fn help() {}",
      },
      "--test a --test b",
    ],
    [
      "under the name that the manifest has for them",
      {
        "Cargo.toml": `${MANIFEST}[[test]]\nname = "all"\npath = "tests/a.rs"`,
        "tests/a.rs": TEST,
        "tests/b.rs": TEST,
      },
      "--test all --test b",
    ],
    [
      "with the features that they ask for",
      {
        "Cargo.toml": `${MANIFEST}[[test]]\nname = "a"\nrequired-features = ["json", "web"]`,
        "tests/a.rs": TEST,
      },
      "--test a --features json,web",
    ],
    [
      "that the edition of 2015 does not look for",
      {
        "Cargo.toml": '[package]\nname = "x"\n[[test]]\nname = "all"\npath = "tests/a.rs"',
        "tests/a.rs": "mod b;",
        "tests/b.rs": TEST,
      },
      "--test all",
    ],
  ])("are run %s", async (_, files, options) => {
    expect((await testsOf(files)).commands).toEqual([`.: cargo test ${options}`]);
  });

  it("are run by the target whose modules they are, without helper modules", async () => {
    const found = await testsOf({
      "Cargo.toml": `${MANIFEST}autotests = false\n[[test]]\nname = "integration"\npath = "tests/tests.rs"\n`,
      "tests/tests.rs": "#[macro_use]\nmod macros;\nmod util;\nmod feature;\n",
      "tests/macros.rs":
        "macro_rules! rgtest {\n  ($name:ident) => {\n    #[test]\n    fn $name() {}\n  };\n}\n",
      "tests/util.rs": "pub fn cmd() { x::a::f(); }\n",
      "tests/feature.rs": "use crate::util;\nrgtest!(works, |cmd| {});\n",
      "tests/forgotten.rs": TEST,
      "src/lib.rs": "pub mod a;",
      "src/a.rs": `pub fn f() {}\n${UNIT}`,
    });
    expect(found.tests).toEqual(["tests/feature.rs", "tests/forgotten.rs", "tests/tests.rs"]);
    expect(found.commands).toEqual([".: cargo test --lib --test integration"]);
  });

  it("are run in their package of a workspace", async () => {
    const { commands } = await testsOf({
      "Cargo.toml": '[workspace]\nmembers = ["crates/*"]',
      "crates/glob/Cargo.toml": MANIFEST,
      "crates/glob/src/lib.rs": UNIT,
      "crates/walk/Cargo.toml": MANIFEST,
      "crates/walk/tests/it.rs": TEST,
    });
    expect(commands).toEqual(["crates/glob: cargo test --lib", "crates/walk: cargo test --test it"]);
  });
});
