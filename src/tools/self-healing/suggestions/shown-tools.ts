import type { Ecosystem } from "../categories.ts";
import { MANAGER_SIGNS } from "./package-managers.ts";

/** Programs of any machine, which a log need not show. */
const OF_ANY_MACHINE =
  /^(?:cat|chmod|command|cut|date|df|dmesg|du|echo|env|export|find|free|getent|grep|head|id|ip|ldconfig|ls|lsof|rm|sed|sort|ss|tr|ulimit|xargs|update-ca-certificates)$/;

/**
 * Programs that come with an ecosystem, so that its failures show them. Those of .NET and Haskell do not: their
 * compilers often run by themselves.
 */
const OF_ECOSYSTEM: Partial<Record<Ecosystem, RegExp>> = {
  node: /^(?:node|npm|npx)$/,
  python: /^(?:python3?|pip)$/,
  maven: /^javac?$/,
  go: /^(?:go|gofmt)$/,
  rust: /^(?:cargo|rustc|rustup)$/,
  ruby: /^(?:bundle|ruby|gem)$/,
  php: /^(?:php|composer)$/,
  swift: /^(?:swift|xcode-select|xcrun)$/,
  dart: /^dart$/,
  elixir: /^mix$/,
  docker: /^docker$/,
  kubernetes: /^kubectl$/,
  terraform: /^terraform$/,
  git: /^git$/,
};

/** Programs that take the place of one that comes with their ecosystem, or work without it. */
const INSTEAD = new Map<string, RegExp>([
  ["cargo", /^(?:\S*\/)?rustc\b/],
  ["docker", /\b(?:buildah|nerdctl|podman|skopeo)\b/],
  ["terraform", /\b(?:open)?tofu\b/i],
]);

/** Signs of a tool in a log, other than the name of its program. */
const SIGNS = new Map<string, RegExp>(
  Object.entries({
    dotnet:
      /\bdotnet\b|\.(?:cs|fs|vb)proj\b|\.sln\b|MSBuild|NuGet|\b(?:NETSDK|NU)\d{4}\b|^Failed!? {1,2}(?:- Failed|\S+ \[)|^ {2}Failed \S+ \[/im,
    cabal: /\bcabal\b|^In order, the following will be built/im,
    mvn: /\bmvnw?\b|\bmaven\b|pom\.xml|surefire|\[Help \d\]/i,
    "./gradlew": /gradle/i,
    "vendor/bin/phpunit": /phpunit/i,
    "vendor/bin/php-cs-fixer": /php-cs-fixer|PHP CS Fixer/i,
    "bin/rails": /\brails\b|ActiveRecord|ActionController/i,
    tsc: /\btsc\b|\bTS\d{4,5}\b/,
    "pkg-config": /\bpkg-?config\b/i,
    make: /\bg?make\b/,
    cmake: /\bcmake\b|CMakeLists|CMakeFiles/i,
    ctest: /\bctest\b|CTest|% tests passed/,
    "apt-get": /\bapt(?:-get)?\b|\bdpkg\b|\bdebian\b|\bubuntu\b/i,
    "apt-file": /\bapt(?:-get)?\b|\bdpkg\b|\bdebian\b|\bubuntu\b/i,
    systemctl: /systemd|systemctl|docker\.sock/,
    "@eslint/migrate-config": /eslint/i,
    "ssh-keygen": /known_hosts|[Hh]ost key|\bssh\b/i,
    "ssh-keyscan": /known_hosts|[Hh]ost key|\bssh\b/i,
    ansible: /\bansible\b|\bPLAY RECAP\b|^TASK \[|\bUNREACHABLE! =>/m,
    "apt-cache": /\bapt(?:-get)?\b|\bdpkg\b/i,
    ssh: /\bssh\b|publickey|\bgit@/,
  }),
);

/** Whether a command calls only tools that the log, the command line or the ecosystem shows. */
export function callsShownTools(command: string, sample: string, ecosystem: Ecosystem): boolean {
  return programsOf(command).every(
    (program) =>
      OF_ANY_MACHINE.test(program) ||
      (OF_ECOSYSTEM[ecosystem]?.test(program) === true && INSTEAD.get(program)?.test(sample) !== true) ||
      MANAGER_SIGNS.get(program)?.test(sample) === true ||
      (SIGNS.get(program) ?? namedBy(program)).test(sample),
  );
}

/** Whether two commands are the same, regardless of how a package manager's command is written. */
export function isSameCommand(command: string, other: string): boolean {
  return plain(command) === plain(other);
}

function namedBy(program: string): RegExp {
  const name = (program.split("/").at(-1) as string).replace(/[^\w-]/g, "");
  // docker://… names an image, not the program
  return new RegExp(`(?<![\\w-])${name}(?![\\w-]|://)`, "i");
}

/** Returns the programs that a command line calls: `jest` for `npx jest`, and both for `bundle exec rspec`. */
function programsOf(command: string): string[] {
  return command.split(/\s*(?:&&|\|\||[|;])\s*/).flatMap((part) => {
    const words = part.split(/\s+/).filter((word) => !/^[A-Z_]+=/.test(word));
    const [program = "", next] = words;
    if (program === "npx" || program === "bunx") return next === undefined ? [program] : [next];
    if (program === "xargs" && next !== undefined) return [next];
    if (/^(?:export|\.)$/.test(program) || program === "") return [];
    if (/^(?:bundle|poetry|uv)$/.test(program) && /^(?:exec|run)$/.test(next ?? ""))
      return [program, words[2] ?? program];
    return [program];
  });
}

function plain(command: string): string {
  return command
    .trim()
    .replace(/\s+/g, " ")
    .replace(/^(?:npx|pnpm exec|yarn exec|npm exec|bunx|python3? -m|bundle exec) (?:--yes |-y )?/, "")
    .replace(/^npm (?:i|install|add)\b/, "npm install")
    .replace(/^(npm|yarn|pnpm|bun) run /, "$1 ")
    .replace(/^npm t(?:st)?$/, "npm test")
    .replace(/^\.\/(?=\w)/, "");
}
