import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readRuby } from "../../../src/repository/languages/ruby/read-ruby.ts";

const hasRuby = spawnSync("ruby", ["--version"]).status === 0;
if (!hasRuby) console.log("skipped: no ruby here to say what its own library defines");

/** Prints `path`, and name and line of each class, module and method by Ruby's own parser, for all files of its library. */
const SCRIPT = String.raw`
require "ripper"
def last(node) = %i[const_ref top_const_ref].include?(node[0]) ? node[1] : node[2]
def walk(node, found)
  return unless node.is_a?(Array)
  named = { class: 1, module: 1, def: 1, defs: 3 }[node[0]]
  if named
    name = %i[class module].include?(node[0]) ? last(node[named]) : node[named]
    found << "#{name[1]} #{name[2][0]}"
  end
  node.each { |each| walk(each, found) }
end
Dir[File.join(RbConfig::CONFIG["rubylibdir"], "**/*.rb")].sort.each do |path|
  source = File.read(path, encoding: "UTF-8")
  next unless source.ascii_only? && !source.include?("\r") && (tree = Ripper.sexp(source))
  found = []
  walk(tree, found)
  puts path, found, ""
end
`;

it.skipIf(!hasRuby)("readRuby() finds what Ruby's own parser finds in Ruby's own library", () => {
  const told = execFileSync("ruby", ["-e", SCRIPT], { encoding: "utf8", maxBuffer: 1 << 28 });
  const files = told.trim().split("\n\n");
  const wrong = files.flatMap((file) => {
    const [path = "", ...theirs] = file.split("\n");
    const { definitions } = readRuby(readFileSync(path, "utf8"), path);
    const ours = definitions.map(({ name, from }) => `${name.replace(/^.*\.(?=.)/, "")} ${from}`);
    const missed = theirs.filter((each) => !ours.includes(each));
    // What an expression makes (`Struct.new do`) is a class here, and none to the parser.
    const madeUp = ours.filter(
      (each, index) => definitions[index]?.kind !== "class" && !theirs.includes(each),
    );
    return [
      ...missed.map((each) => `${path}: missed ${each}`),
      ...madeUp.map((each) => `${path}: made up ${each}`),
    ];
  });
  expect(files.length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});
