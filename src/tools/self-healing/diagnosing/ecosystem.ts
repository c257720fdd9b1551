import type { Ecosystem } from "../categories.ts";
import type { Candidate } from "./candidate.ts";
import { type Reading, textAt } from "./reading.ts";

const BY_COMMAND: readonly [RegExp, Ecosystem][] = [
  [
    /\b(?:npm|npx|yarn|pnpm|bunx?|node|tsc|jest|vitest|eslint|webpack|vite|mocha|next|turbo|nx|esbuild|rollup|prettier|biome|deno|stylelint|oxlint|sass|ng|astro|svelte-check|vue-tsc|parcel|prisma|knip|cypress|playwright)\b/,
    "node",
  ],
  [
    /\b(?:python[\d.]*|pip[\d.]*|pytest|poetry|uv|tox|nox|mypy|ruff|flake8|black|conda|pipenv|twine|pylint|pyright|bandit|isort|sqlfluff|dbt|alembic|behave|hatch|pdm)\b/,
    "python",
  ],
  [/\b(?:gradlew?|\.\/gradlew)\b/, "gradle"],
  [/\b(?:mvnw?|\.\/mvnw)\b/, "maven"],
  // The JDK's own programs belong to no build tool.
  [/^(?:\S*\/)?javac?\b/, "unknown"],
  [/\bsbt\b/, "sbt"],
  [/\b(?:cargo|rustc|clippy|rustup)\b/, "rust"],
  [/\b(?:go (?:build|test|vet|run|mod|install|get)|golangci-lint|gotestsum)\b/, "go"],
  [/\b(?:dotnet|msbuild|nuget)\b/i, "dotnet"],
  [/\b(?:bundle|bundler|rake|rspec|rails|gem|rubocop|ruby)\b/, "ruby"],
  [/\b(?:composer|phpunit|php|phpstan|artisan|pest)\b/, "php"],
  [/\b(?:xcodebuild|swift|swiftlint|pod|fastlane)\b/, "swift"],
  [/\b(?:flutter|dart)\b/, "dart"],
  [/\b(?:mix|iex|elixir)\b/, "elixir"],
  [/\b(?:stack|cabal|ghc)\b/, "haskell"],
  [/\b(?:kubectl|helm|kustomize|kubeconform|kubeval|skaffold)\b/, "kubernetes"],
  [/\b(?:terraform|tofu|terragrunt|tflint|tfsec)\b/, "terraform"],
  [/\b(?:docker|docker-compose|podman|buildah|hadolint)\b/, "docker"],
  [/\b(?:make|cmake|gcc|clang\S*|cc|ninja|meson|bazel|configure|ctest)\b|\bg\+\+/, "c"],
  [/^git\b/, "git"],
  [/\b(?:shellcheck|shfmt|bats)\b/, "shell"],
];

/** Extensions of source files only, since a log is full of other files. */
const BY_EXTENSION: Record<string, Ecosystem> = {
  js: "node",
  mjs: "node",
  cjs: "node",
  jsx: "node",
  ts: "node",
  tsx: "node",
  mts: "node",
  cts: "node",
  vue: "node",
  svelte: "node",
  css: "node",
  scss: "node",
  py: "python",
  pyi: "python",
  ipynb: "python",
  java: "maven",
  kt: "gradle",
  kts: "gradle",
  gradle: "gradle",
  scala: "sbt",
  sbt: "sbt",
  go: "go",
  rs: "rust",
  cs: "dotnet",
  csproj: "dotnet",
  fs: "dotnet",
  vb: "dotnet",
  sln: "dotnet",
  rb: "ruby",
  rake: "ruby",
  gemspec: "ruby",
  erb: "ruby",
  haml: "ruby",
  slim: "ruby",
  php: "php",
  c: "c",
  cc: "c",
  cpp: "c",
  cxx: "c",
  h: "c",
  hpp: "c",
  cu: "c",
  mk: "c",
  cmake: "c",
  swift: "swift",
  m: "swift",
  dart: "dart",
  ex: "elixir",
  exs: "elixir",
  hs: "haskell",
  tf: "terraform",
  sh: "shell",
  bash: "shell",
};

/** Marks of the tools of each ecosystem. */
const MARKS: readonly [RegExp, Ecosystem][] = [
  [/^> Task :|Gradle (?:Daemon|Wrapper|build)|BUILD (?:FAILED|SUCCESSFUL) in|build\.gradle/, "gradle"],
  [
    /^--- \S+:\S+|Scanning for projects|maven-\w+-plugin|pom\.xml|^BUILD (?:SUCCESS|FAILURE)$|\[Help 1\]/,
    "maven",
  ],
  [
    /^\s*RUN\s+v\d|Test (?:Files|Suites):?\s|\.[cm]?[jt]sx?:\d|^npm (?:ERR!|error|warn|WARN|notice)|node_modules|package\.json|^yarn |Node\.js v\d|^> \S+@\d+\.\d+\.\d+ /,
    "node",
  ],
  [
    /^Traceback \(most recent|site-packages|\bpytest\b|\bpip\b|\.py\b|^Name +Stmts +Miss\b|Required test coverage of/,
    "python",
  ],
  [/\.rs:\d|\bcargo\b|^\s*Compiling \S+ v\d/, "rust"],
  [
    /\.go:\d|^(?:ok|FAIL)\s+\S+\s+(?:\d+\.\d+s\b|\[\w+ failed\]|\(cached\))|^\s*--- (?:FAIL|PASS|SKIP): |go: downloading/,
    "go",
  ],
  [/\.csproj|MSBuild|\bdotnet\b/, "dotnet"],
  [/Gemfile|\brspec\b|\.rb:\d|\bbundler\b/, "ruby"],
  [/composer\.|\.php\b/, "php"],
  [/\bgcc\b|\bg\+\+|\bcmake\b|\.(?:cpp|cc|c|h):\d|^make(?:\[\d+\])?: /i, "c"],
  [/^(?:stderr: )?(?:fatal|remote|hint): (?!\[)|^Cloning into|^CONFLICT/, "git"],
];
/** Lines before and after the cause that are searched for marks. */
const AROUND = 150;
/** Lines at the beginning of the log that are searched for marks. */
const BEGINNING = 60;

/** Ecosystems whose tools write to the logs of all others. */
const OF_ANY_BUILD = new Set<Ecosystem>(["shell", "ci"]);

/** Signatures of marks that the test runners of other languages write as well. */
const OF_ANY_LANGUAGE = new Set(["test-mark", "tap-not-ok"]);

/**
 * Returns the ecosystem of the tools that wrote the log. The command, and what the cause names, outweigh
 * marks in the log.
 */
export function ecosystemOf(
  reading: Reading,
  best: Candidate | undefined,
  command: string | undefined,
): Ecosystem {
  const own = best?.signature.ecosystem;
  const told = own && OF_ANY_LANGUAGE.has(best.signature.id) ? undefined : own;
  return (
    (own && OF_ANY_BUILD.has(own) ? ofCommand(command) : undefined) ??
    told ??
    ofCommand(command) ??
    ofFile(best?.diagnostic?.file ?? best?.caught.file) ??
    ofMarks(reading, best?.index ?? reading.lines.count) ??
    own ??
    "unknown"
  );
}

function ofCommand(command: string | undefined): Ecosystem | undefined {
  return command === undefined ? undefined : BY_COMMAND.find(([pattern]) => pattern.test(command))?.[1];
}

function ofFile(file: string | undefined): Ecosystem | undefined {
  const extension = /\.(\w{1,8})$/.exec(file ?? "")?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
}

function ofMarks({ lines }: Reading, index: number): Ecosystem | undefined {
  const votes = new Map<Ecosystem, number>();
  const look = (from: number, to: number) => {
    for (let at = Math.max(0, from); at < Math.min(lines.count, to); at++) {
      const text = textAt(lines, at) ?? "";
      for (const [pattern, ecosystem] of MARKS)
        if (pattern.test(text)) votes.set(ecosystem, (votes.get(ecosystem) ?? 0) + 1);
    }
  };
  look(0, Math.min(BEGINNING, index - AROUND));
  look(index - AROUND, index + AROUND);
  return [...votes].sort(([, a], [, b]) => b - a)[0]?.[0];
}
