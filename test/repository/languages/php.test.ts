import { expect, it } from "vitest";
import { openRepository } from "../../../src/repository/open-repository.ts";
import { directoryWith } from "../directory.ts";

async function edgesOf(files: Record<string, string>): Promise<string[]> {
  const { edges } = await openRepository(directoryWith(files));
  return edges.map(({ from, to }) => `${from} → ${to}`);
}

it("paths that files require begin at a constant that any file defines", async () => {
  const files = {
    "load.php":
      "<?php if (!defined('ROOT')) { define( 'ROOT', __DIR__ . '/' ); } const INC = 'inc'; define('DEEP', ROOT . INC . '/deep');",
    "inc/a.php": "<?php",
    "inc/b.php": "<?php",
    "inc/deep/c.php": "<?php",
    "d.php": "<?php",
    "admin/main.php":
      "<?php require_once ROOT . INC . '/a.php';\ninclude( \\ROOT . \"inc/b.php\" ); require DEEP . DIRECTORY_SEPARATOR . 'c.php'; require dirname( INC_OF_NOBODY ) . '/d.php'; ?> <?php require dirname(DEEP, 2) . '/d.php' ?>",
  };
  expect(await edgesOf(files)).toEqual([
    "admin/main.php → d.php",
    "admin/main.php → inc/a.php",
    "admin/main.php → inc/b.php",
    "admin/main.php → inc/deep/c.php",
    "admin/main.php → load.php",
  ]);
});

it("of constants that several files define, the nearest comes first, and one that has such a file", async () => {
  const plugin = (name: string) => ({
    [`${name}/${name}.php`]:
      "<?php define('DIR', plugin_dir_path(__FILE__)); require DIR . 'inc/a.php'; require DIR . 'inc/only.php';",
    [`${name}/inc/a.php`]: "<?php",
  });
  expect(await edgesOf({ ...plugin("one"), ...plugin("two"), "two/inc/only.php": "<?php" })).toEqual([
    "one/one.php → one/inc/a.php",
    "one/one.php → two/inc/only.php",
    "two/two.php → two/inc/a.php",
    "two/two.php → two/inc/only.php",
  ]);
});

it.each([
  "require dirname(__DIR__) . '/a.php';",
  "require dirname(dirname(__FILE__)) . '/a.php';",
  "require(dirname(__FILE__, 2) . '/' . 'a.php');",
  "require realpath(__DIR__ . '/..') . '/a.php';",
  "include_once trailingslashit(dirname(__DIR__)) . 'a.php';",
  "require '../a.php';",
  "require 'a.php';",
])("a path is required: %s", async (line) => {
  expect(await edgesOf({ "src/main.php": `<?php ${line}`, "a.php": "<?php" })).toEqual([
    "src/main.php → a.php",
  ]);
});

it.each([
  "require DIR . $name . '/a.php';",
  'require DIR . "$name/a.php";',
  "require DIR . f('a.php');",
  "require Other::DIR . '/a.php';",
  "require DIR . '/a.php' . SUFFIX;",
  "class A { const DIR = __DIR__; } require LOOP . '/a.php';",
  "$x = 'require DIR . a.php';",
])("a path is not known: %s", async (line) => {
  const files = {
    "main.php": `<?php ${line}`,
    "load.php":
      "<?php define('DIR', __DIR__); define('LOOP', LOOP . LOOP); class Other { const DIR = __DIR__; }",
    "a.php": "<?php",
  };
  expect(await edgesOf(files)).not.toContain("main.php → a.php");
});

it("classes, functions and namespaces are the same in capital letters, constants are not", async () => {
  const files = {
    "main.php":
      "<?php namespace app; use SHOP\\basket as Box; use function Shop\\TOTAL; use const shop\\Limit; new bOX; total(); echo Limit; new near; class Main implements \\Shop\\ÄTHER {}",
    "other.php": "<?php namespace App; use const Shop\\LIMIT; echo LIMIT;",
    "Near.php": "<?php namespace App; class NEAR {}",
    "Basket.php": "<?php namespace Shop; class Basket {}",
    "total.php": "<?php namespace Shop; function Total() {}",
    "LIMIT.php": "<?php namespace Shop; const LIMIT = 1;",
    "Limit.php": "<?php namespace Shop; const Limit = 1;",
    "ether.php": "<?php namespace Shop; interface äther {}",
  };
  expect(await edgesOf(files)).toEqual([
    "main.php → Basket.php",
    "main.php → Limit.php",
    "main.php → Near.php",
    "main.php → total.php",
    "other.php → LIMIT.php",
  ]);
});
