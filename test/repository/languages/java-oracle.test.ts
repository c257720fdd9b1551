import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openRepository } from "../../../src/repository/open-repository.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { directoryWith } from "../directory.ts";

const hasJdk = ["javac", "jdeps"].every((program) => spawnSync(program, ["--version"]).status === 0);
if (!hasJdk) console.log("skipped: no javac and jdeps here to say which class of Java needs which");

/** Uses that class files record: imports of classes, members and packages, same-package use, inner classes. */
const FILES = {
  "src/shop/Main.java": `package shop;
import shop.store.Store;
import shop.more.*;
import static shop.store.Keys.key;
import java.util.List;
public class Main {
  // Unused is only spoken of, and so is "Ghost".
  Helper helper = new Helper("Ghost");
  List<Extra> extras = List.of(new Extra());
  Store.Entry entry = new Store().open(key());
}
`,
  "src/shop/Helper.java":
    "package shop;\nclass Helper extends Base {\n  Helper(String name) { super(name); }\n  enum Mode { ON, OFF }\n}\n",
  "src/shop/Base.java": "package shop;\nclass Base {\n  Base(String name) {}\n}\n",
  "src/shop/Unused.java": "package shop;\nclass Unused {}\n",
  "src/shop/Ghost.java": "package shop;\nclass Ghost {}\n",
  "src/shop/store/Store.java": `package shop.store;
public class Store {
  public static class Entry {}
  public Entry open(String name) { return Shelf.of(name); }
}
`,
  "src/shop/store/Shelf.java":
    "package shop.store;\nclass Shelf {\n  static Store.Entry of(String name) { return new Store.Entry(); }\n}\n",
  "src/shop/store/Keys.java":
    'package shop.store;\npublic class Keys {\n  public static String key() { return "a"; }\n}\n',
  "src/shop/more/Extra.java": "package shop.more;\npublic class Extra {}\n",
  "src/shop/more/Helper.java": "package shop.more;\npublic class Helper {}\n",
};

it.skipIf(!hasJdk)("openRepository() finds the same dependencies between Java files as jdeps", async () => {
  const directory = directoryWith(FILES);
  const classes = temporaryDirectory();
  const sources = Object.keys(FILES).map((path) => join(directory, path));
  execFileSync("javac", ["-proc:none", "-d", classes, ...sources]);
  const told = execFileSync("jdeps", ["-verbose:class", "-filter:none", classes], { encoding: "utf8" });
  const fileOf = (name: string) => `src/${name.replace(/\$.*/, "").replaceAll(".", "/")}.java`;
  const theirs = new Set<string>();
  for (const [, from = "", to = ""] of told.matchAll(/^ {3}(\S+) +-> (\S+)/gm)) {
    const isOurs = to.startsWith("shop.") && fileOf(to) !== fileOf(from);
    if (isOurs) theirs.add(`${fileOf(from)} → ${fileOf(to)}`);
  }
  const { edges } = await openRepository(directory);
  expect(theirs.size).toBeGreaterThan(6);
  expect(edges.map(({ from, to }) => `${from} → ${to}`)).toEqual([...theirs].sort());
});
