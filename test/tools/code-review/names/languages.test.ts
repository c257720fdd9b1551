import { describe, expect, it } from "vitest";
import { targetsNeeding } from "../../../../src/tools/code-review/flow/sanitizers.ts";
import { type Language, languageOf } from "../../../../src/tools/code-review/language/language.ts";
import { isKeyword } from "../../../../src/tools/code-review/syntax/keywords.ts";

describe("languageOf()", () => {
  it.each<[Language, string]>([
    ["javascript", "a.js a.jsx a.mjs a.cjs a.ts src/a.TSX a.mts a.cts"],
    ["python", "a.py a.pyi a.pyw"],
    ["go", "a.go"],
    ["java", "A.java a.kt a.kts a.scala a.groovy build.gradle"],
    ["ruby", "a.rb a.rake a.gemspec config.ru a.erb Gemfile Rakefile Vagrantfile"],
    ["php", "a.php a.phtml"],
    ["c", "a.c a.h a.m"],
    ["cpp", "a.cc a.cpp a.cxx a.hpp a.ino"],
    ["csharp", "A.cs a.cshtml a.vb"],
    ["rust", "a.rs"],
    ["shell", "a.sh a.bash a.zsh a.ps1 a.bats Makefile .bashrc .envrc justfile"],
    ["yaml", "a.yml a.yaml"],
    ["dockerfile", "Dockerfile dockerfile.dev Containerfile a.dockerfile"],
    ["markup", "a.html a.vue a.xml a.csproj a.hbs a.jsp a.svelte"],
    ["other", "a.swift a.lua a.tf a.sql a.css a.json5 a.unheard"],
    ["text", "a.md a.txt a.json a.lock a.env .npmrc LICENSE .unheard a.pem a.d/README"],
  ])("returns %s for %s", (language, paths) => {
    for (const path of paths.split(" ")) expect([path, languageOf(path)]).toEqual([path, language]);
  });
});

describe("isKeyword()", () => {
  it.each<[Language, string, string]>([
    ["javascript", "function typeof await async interface declare if return", "def elif func this super"],
    ["python", "elif def lambda except with nonlocal del assert while", "function var func self"],
    ["go", "func range chan select defer fallthrough struct", "def lambda class_ self"],
    ["java", "throws synchronized fun companion static final instanceof", "def elif this super"],
    ["ruby", "elsif unless begin rescue ensure def module redo yield", "func var self super"],
    ["php", "elseif foreach function namespace trait isset list", "def this_ range"],
    ["c", "typedef struct static sizeof goto unsigned", "template operator def"],
    ["cpp", "template namespace typename noexcept auto struct", "def fun_ func"],
    ["csharp", "foreach using readonly lock nameof internal where struct", "def elif func"],
    ["rust", "fn let mut match impl trait crate dyn", "func def var self"],
    ["shell", "if else for while", "fn let def static"],
  ])("in %s is true for %s, but not for %s", (language, kept, free) => {
    for (const word of kept.split(" ")) expect([word, isKeyword(language, word)]).toEqual([word, true]);
    for (const word of free.split(" ")) expect([word, isKeyword(language, word)]).toEqual([word, false]);
  });
});

describe("targetsNeeding()", () => {
  it.each([
    ["..", ["path"]],
    ["../", ["path"]],
    ["..\\", ["path"]],
    ["/", ["path"]],
    ["\\", ["path"]],
    ["\\\\", ["path"]],
    ["'", ["query", "code"]],
    ['"', ["query", "code"]],
    ["\\'", ["query", "code"]],
    ["<", ["markup"]],
    [";", ["shell"]],
    ["|", ["shell"]],
    ["`", ["shell"]],
    ["https://a.example", ["address"]],
    ["//a", ["address"]],
    ["a", []],
    ["../a", []],
    ["''", []],
    ["<b", []],
    [";;", []],
    ["ftp://a", []],
    ["", []],
  ])("maps %j to %j", (text, targets) => expect(targetsNeeding(text)).toEqual(targets));
});
