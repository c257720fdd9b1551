import { posix } from "node:path";
import { argumentWord } from "../../system/processes/shell-word.ts";
import type { Repository } from "../repository.ts";
import { above, type Runner } from "./runner.ts";

/** Loads each file that it is given. Minitest and test-unit then run the tests in them. */
const LOAD_ALL = `-e 'ARGV.each { |path| load path }'`;

/** Runs specs with RSpec, other tests as Rails does or by loading them, from the nearest Gemfile or Rakefile. */
export function rubyRunner(repository: Pick<Repository, "files">, test: string): Runner {
  const directory = above(repository, test, ["Gemfile"]) ?? above(repository, test, ["Rakefile"]) ?? ".";
  const has = (path: string) => repository.files.has(posix.join(directory, path));
  const bundled = has("Gemfile") ? "bundle exec " : "";
  if (test.endsWith("_spec.rb")) return { directory, command: (paths) => words(`${bundled}rspec`, paths) };
  if (has("bin/rails")) return { directory, command: (paths) => words("bin/rails test", paths) };
  return {
    directory,
    command: (paths) =>
      paths.length === 0 ? `${bundled}rake test` : words(`${bundled}ruby -Ilib:test ${LOAD_ALL}`, paths),
  };
}

function words(command: string, paths: readonly string[]): string {
  return [command, ...paths.map(argumentWord)].join(" ");
}
