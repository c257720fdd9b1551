import { expect, it } from "vitest";
import { notFollowedLanguage } from "../../src/repository/not-followed.ts";
import { openRepository } from "../../src/repository/open-repository.ts";
import { directoryWith } from "./directory.ts";

it.each([
  ["#!/usr/bin/env ruby\nrequire_relative '../lib/a'", "ruby", "lib/a.rb"],
  ["#!/usr/bin/ruby -w\nrequire_relative '../lib/a'", "ruby", "lib/a.rb"],
  ["#!/usr/bin/env -S LANG=C python3.12 -u\nimport a", "python", "bin/a.py"],
  ["#!/opt/venv/bin/python3\nimport a", "python", "bin/a.py"],
  ["#! /usr/bin/env node\nrequire('../lib/a.js')", "javascript", "lib/a.js"],
  ["#!/usr/bin/env -S deno run --allow-read\nimport '../lib/a.js'", "javascript", "lib/a.js"],
  ["#!/usr/bin/env php\n<?php\nuse App\\A; new A();", "php", "lib/A.php"],
  ["#!/usr/bin/php\r\n<?php require __DIR__.'/../lib/A.php';", "php", "lib/A.php"],
])("a script without an ending is read by its first line: %j", async (text, language, to) => {
  const files = {
    "bin/console": text,
    "bin/a.py": "",
    "lib/a.js": "",
    "lib/a.rb": "",
    "lib/A.php": "<?php namespace App; class A {}",
  };
  const repository = await openRepository(directoryWith(files));
  expect(repository.edges).toEqual([{ from: "bin/console", to }]);
  expect(repository.files.get("bin/console")?.language).toBe(language);
  expect(notFollowedLanguage(repository, "bin/console")).toBeUndefined();
});

it.each([
  ["bin/run", "#!/bin/sh\nrequire_relative '../lib/a'"],
  ["bin/run", "require_relative '../lib/a'\n#!/usr/bin/env ruby"],
  ["bin/run", "#!/usr/bin/env rubyish\nrequire_relative '../lib/a'"],
  ["bin/run", `#!${" ".repeat(300)}ruby\nrequire_relative '../lib/a'`],
  ["bin/run.txt", "#!/usr/bin/env ruby\nrequire_relative '../lib/a'"],
])("a file is no script that is read: %s, %j", async (path, text) => {
  const repository = await openRepository(directoryWith({ [path]: text, "lib/a.rb": "" }));
  expect(repository.edges).toEqual([]);
  expect(notFollowedLanguage(repository, path)).toBeDefined();
});

it("what a script declares is for itself", async () => {
  const { edges } = await openRepository(
    directoryWith({
      "bin/a": "#!/usr/bin/env ruby\nROOT = 1\nclass Tool; end\nputs ROOT",
      "bin/b": "#!/usr/bin/env ruby\nputs Tool, ROOT",
      "bin/c": "#!/usr/bin/env php\n<?php function run() {} run();",
      "lib/d.php": "<?php run();",
      "lib/e.rb": "Tool.new",
    }),
  );
  expect(edges).toEqual([]);
});
