/** The last part of a path: it has an extension, or is one of the few names without one. */
const NAME = String.raw`(?:[^\s:()[\]|"'<>,;=/\\]*\.[A-Za-z][\w-]{0,15}|(?:Make|Rake|Gem|Docker|Jenkins|Pod|Fast|Proc|Brew|Vagrant|Cap|Guard|Berks|Just|just)file|BUILD|WORKSPACE|CMakeLists\.txt)`;
const PATH = String.raw`(?<file>(?:[A-Za-z]:[\\/])?(?:[^\s:()[\]|"'<>,;=]*[\\/])?${NAME})`;
/** A path that may end in any name, for formats with a column: `bin/console:7:11:`. */
const LOOSE_PATH = String.raw`(?<file>(?:[\w.@~+-]*\/)+[\w.+-]+)`;
/** The name of the interpreter that ran the file. */
const PROGRAM = String.raw`[a-z][\w.+-]{0,20}: ?`;
const SEVERITY =
  "(?<severity>fatal error|fatal|error|warning|warn|info|note|hint|style|convention|refactor|suggestion)";

/** Formats of a finding and its place on one line. Tried in order; named groups as in `Diagnostic`. */
export const FORMATS: readonly RegExp[] = [
  // tsc, MSVC, MSBuild, C#: file(line,column): error CODE: message; Pascal, Nim: file(line,column) Error: message
  new RegExp(
    String.raw`^\s*(?:\d+>)?(?<file>(?:[A-Za-z]:)?[^:|*?"<>\s][^:|*?"<>]{0,300}\.[A-Za-z]\w{0,15})\((?<line>\d+)(?:,\s?(?<column>\d+)(?:-\d+)?)?(?:,\d+,\d+)?\)(?:\s?:\s|\s(?=(?:error|fatal|warning|hint|note): ))(?:${SEVERITY}\s?(?<code>[A-Z]\w*[-_\d][\w-]*)?\s?:\s?)?(?<message>\S.*)`,
    "i",
  ),
  // the same with a blank before the place
  new RegExp(
    String.raw`^\s*(?<file>(?:[A-Za-z]:)?[^\s:|*?"<>][^:|*?"<>]{0,300}\.[A-Za-z]\w{0,15}) \((?<line>\d+)(?:,\s?(?<column>\d+))?\) ?:\s+${SEVERITY}\b\s?(?<code>[A-Z]+\d*)?\s?:\s?(?<message>\S.*)`,
    "i",
  ),
  // javac under Maven: file:[line,column] message; Eclipse's compiler says it below
  new RegExp(
    String.raw`^\s*${PATH}:\[(?<line>\d+)(?:,(?<column>\d+))?\](?:\s+|$)(?:${SEVERITY}: )?(?<message>.*)`,
    "i",
  ),
  // tslint: file[line, column]: message
  new RegExp(
    String.raw`^\s*(?:${SEVERITY}: )?${PATH}\[(?<line>\d+), ?(?<column>\d+)\]: (?<message>\S.*)`,
    "i",
  ),
  // ESLint, compact: file: line 2, col 10, Error - message; JSHint, CSSLint without the severity
  new RegExp(
    String.raw`^${PATH}: line (?<line>\d+), col (?<column>\d+), (?:${SEVERITY} - )?(?<message>\S.*)`,
    "i",
  ),
  // shells: file: line 12: message; AWK: awk: file: line 12: message
  new RegExp(
    String.raw`^(?:${PROGRAM})?(?:(?:ERROR|WARNING): )?${PATH}: line (?<line>\d+): (?<message>\S.*)`,
  ),
  // zsh: file:command:line: message
  new RegExp(String.raw`^${PATH}:[a-z_][\w-]*:(?<line>\d+): (?<message>\S.*)`),
  // fish: file (line 12): message
  new RegExp(String.raw`^${PATH} \(line (?<line>\d+)\): (?<message>\S.*)`),
  // files without an extension, by a folder or an underscore; shells begin so what is no place in a file
  /^(?!(?:\S*\/)?(?:\w{0,4}sh|environment|main): )(?=\S*[_/])(?<file>[\w./-]+): line (?<line>\d+): (?<message>\S.*)/,
  /^(?<file>[A-Za-z_][\w-]*):(?<line>\d+):(?<column>\d+): (?<message>.*\berror\b.*)/,
  // interpreters: program: file:line: message
  new RegExp(String.raw`^${PROGRAM}${PATH}:(?<line>\d+):(?:(?<column>\d+):)? (?<message>\S.*)`),
  // Bison: file:line.column-column: severity: message
  new RegExp(
    String.raw`^${PATH}:(?<line>\d+)\.(?<column>\d+)(?:-[\d.]+)?: (?:${SEVERITY}: )?(?<message>\S.*)`,
  ),
  // Verilator: %Error-CODE: file:line:column: message
  new RegExp(
    String.raw`^%(?<severity>Error|Warning)(?:-(?<code>\w+))?: ${PATH}:(?<line>\d+):(?<column>\d+): (?<message>\S.*)`,
  ),
  // promtool: file: line:column: message
  new RegExp(String.raw`^${PATH}: (?<line>\d+):(?<column>\d+): (?<message>\S.*)`),
  // Graphviz: Error: file: message in line 3 near …
  new RegExp(
    String.raw`^(?<severity>Error|Warning): ${PATH}: (?<message>[^:]{1,200} in line (?<line>\d+)\b.*)`,
  ),
  // protolint: [file:line:column] message
  new RegExp(String.raw`^\[${PATH}:(?<line>\d+):(?<column>\d+)\] (?<message>\S.*)`),
  // most compilers and linters: file:line:column: severity: message
  new RegExp(
    String.raw`^\s*(?:[ew]: |error:|vet: |Error: |psql:|\[ {1,4}LINE {1,4}\] --- )?(?:file:\/\/(?:\/(?=[A-Za-z]:\/))?)?${PATH}:(?<line>\d+)(?::(?<column>\d+))?(?:-\d+(?::\d+)?)?(?::|\s(?:-\s)?)\s*(?:\[?(?:${SEVERITY}|[CWEFRI])(?=[:\]\s])\]?(?:\s?\[?(?<code>[A-Z]+\d+)\]?)?(?:\s*[:-])?\s*)?(?<message>\S.*)`,
    "i",
  ),
  // the same of a path with blanks, which has to be absolute
  new RegExp(
    String.raw`^(?<file>(?:[A-Za-z]:[\\/]|\/)[^:*?"<>|]{1,300}\.\w{1,8}):(?<line>\d+)(?::(?<column>\d+))?: ${SEVERITY}: (?<message>\S.*)`,
  ),
  /^(?<file>[A-Za-z]:\\[^:*?"<>|]{1,300}):(?<line>\d+):(?<column>\d+): (?<message>\S.*)/,
  new RegExp(String.raw`^${LOOSE_PATH}:(?<line>\d+):(?<column>\d+): (?:\[?[CWEFR]\]?: )?(?<message>\S.*)`),
  // rollup, babel: file (line:column): message
  new RegExp(
    String.raw`^\s*(?:\[!\] )?(?:\w*Error: )?${PATH} \((?<line>\d+):(?<column>\d+)\):? (?<message>\S.*)`,
  ),
  new RegExp(
    String.raw`^\s*(?:\w*Error: )?${PATH}: (?<message>[^()]*(?:\([^()]*\)[^()]*)?) \((?<line>\d+):(?<column>\d+)\)$`,
  ),
  // puppet-lint: file - ERROR: message on line 7
  new RegExp(String.raw`^${PATH} - ${SEVERITY}: (?<message>\S.*) on line (?<line>\d+)`, "i"),
  // Dart: error - file:line:column - message, and Flutter: error • message • file:line:column • code
  new RegExp(String.raw`^\s*${SEVERITY} - ${PATH}:(?<line>\d+):(?<column>\d+) - (?<message>\S.*)`, "i"),
  new RegExp(
    String.raw`^\s*${SEVERITY} • (?<message>[^•]{1,300}) • ${PATH}:(?<line>\d+):(?<column>\d+) • \S+`,
    "i",
  ),
  // Psalm: ERROR: Code - file:line:column - message
  new RegExp(
    String.raw`^${SEVERITY}: (?<code>\w+) - ${PATH}:(?<line>\d+):(?<column>\d+) - (?<message>\S.*)`,
    "i",
  ),
  // Perl: message at file line 12.
  /^(?<message>(?:Global symbol|syntax error|Can't locate|Can't call|Undefined subroutine|Bareword)\b.{0,300}) at (?<file>[^\s'"]+\.(?:p[lm]|t)) line (?<line>\d+)[.,]/,
  // Scalastyle: error file=… message=… line=6 column=7
  /^(?<severity>error|warning|info) file=(?<file>\S+) message=(?<message>.*?)(?: line=(?<line>\d+))?(?: column=(?<column>\d+))?$/,
  // PHP: message in file on line 12, message in file:12
  /^(?<message>(?:PHP )?(?:Parse|Fatal|Catchable fatal) error: .*?) in (?<file>\/?\S+?)(?: on line |:)(?<line>\d+)$/,
  // tables: file  line  message
  new RegExp(String.raw`^${PATH}\s{2,20}(?<line>\d+)\s{2,20}(?<message>\S.*)`),
  // Ruby's and Python's formatters, which name a file alone
  new RegExp(
    String.raw`^(?<severity>error): (?<message>cannot format) ${PATH}: (?:Cannot parse: (?<line>\d+):(?<column>\d+))?`,
    "i",
  ),
  new RegExp(`^(?<message>[Ww]ould reformat:?) ${PATH}`),
  new RegExp(String.raw`^(?<severity>ERROR): ${PATH} (?<message>Imports are \S.*)`),
  // MSBuild, of a project as a whole: project : error CODE: message
  new RegExp(
    String.raw`^\s*(?:\d+>)?(?<file>(?:[A-Za-z]:)?[^:|*?"<>\s][^:|*?"<>]{0,300}\.(?:\w{1,4}proj|slnx?|props|targets))\s?:\s${SEVERITY}\s(?<code>[A-Z]+\d+):\s+(?<message>\S.*)`,
    "i",
  ),
  // Eclipse's compiler, which says below the source what is wrong: 1. ERROR in file (at line 12)
  /^\s*\d+\. (?<severity>ERROR|WARNING|INFO) in (?<file>\S.*?) \((?<message>at line (?<line>\d+))\)$/,
  // CMake Error at file:line (command):
  new RegExp(
    String.raw`^CMake (?<severity>Error|Warning)(?: \(dev\))? at ${PATH}:(?<line>\d+) (?<message>.*)`,
    "i",
  ),
];

/** For a line that a prefix calls an error or a warning: file: message. */
export const WITHOUT_LINE = new RegExp(String.raw`^(?=\S*[\\/])${PATH}: (?<message>\S.*)`);

/** Under a heading that names the file: line:column severity message; or a rule at the end, in a column of its own. */
export const UNDER_FILE =
  /^(?:\s{1,8}(?<mark2>[✖⚠])\s{1,4}(?<line3>\d+):(?<column3>\d+)\s{1,4}(?<message3>\S.*)|(?:\s{1,8}|(?=\d+:\d+-\d))(?<line>\d+):(?<column>\d+)(?:-\d+:\d+)?\s+(?:(?<severity>error|warning|info)\b|(?<mark>[✖×✘⚠ℹ]))\s+(?<message>\S.*)|\s{0,8}(?<line2>\d+):(?<column2>\d+)\s+(?<message2>[^\s:].*\s{2}[a-z@]\w*[-/][\w@/-]+)\s*$)/;
/** The rule at the end of such a line. */
export const RULE_APART = /\s{2}(?<code>[a-z@][\w@]*(?:[-/][\w@/-]*)?)\s*$/;
export const FILE_HEADING = new RegExp(
  String.raw`^\s{0,2}(?!console\.[a-z]+$)${PATH}(?: -- \d+ warnings?:|:\d+:\d+)?\s*$`,
);

/** The place that a message above is about: rustc, typos, Biome, esbuild, code frames of bundlers. */
export const PLACE_BELOW = [
  new RegExp(
    String.raw`^\s*(?:——▶|-->|╭─\[|,-\[|┌─|└─|❯|at) ?\[? ?(?:file:\/\/)?${PATH}:(?<line>\d+):(?<column>\d+)\]?`,
  ),
  new RegExp(String.raw`^\s{2,8}${PATH}:(?<line>\d+):(?<column>\d+)(?:-\d+)?:?$`),
  // Bun, which adds the offset
  new RegExp(String.raw`^${PATH}:(?<line>\d+):(?<column>\d+) \d+$`),
  // AVA
  new RegExp(String.raw`^\s{2}${PATH}:(?<line>\d+)$`),
  // Prisma
  new RegExp(String.raw`^\s*-->\s{1,4}${PATH}:(?<line>\d+)$`),
  // Sass
  /^\s{2}(?<file>\S+\.s[ac]ss) (?<line>\d+):(?<column>\d+)\s/,
  // Bandit, Credo, cfn-lint
  new RegExp(String.raw`^\s*Location: ${PATH}:(?<line>\d+):(?<column>\d+)$`),
  new RegExp(String.raw`^┃\s{1,10}${PATH}:(?<line>\d+)(?::(?<column>\d+))? #`),
  new RegExp(String.raw`^${PATH}:(?<line>\d+):(?<column>\d+)$`),
  // Perl's tests
  /^#\s+at (?<file>\S+) line (?<line>\d+)\.$/,
  // Ansible
  /^The error appears to be in '(?<file>[^']+)': line (?<line>\d+), column (?<column>\d+)/,
  new RegExp(String.raw`^Origin: ${PATH}:(?<line>\d+)(?::(?<column>\d+))?$`),
  // AssemblyScript
  new RegExp(String.raw`^\s*└─ in ${PATH}\((?<line>\d+),(?<column>\d+)\)$`),
  // PyYAML
  /^\s{1,4}in "(?<file>[^"<]+)", line (?<line>\d+), column (?<column>\d+)/,
  // Flyway
  /^Location +: (?<file>\S+\.\w+)/,
  // LLVM's linker
  /^>>> referenced by [^\s()]+:\d+ \((?<file>[^\s():]+):(?<line>\d+)\)$/,
  /^>>> referenced by (?<file>[^\s():]+):(?<line>\d+)$/,
  // simulators of hardware
  /^#? {2,}Time: .* File: (?<file>\S+) Line: (?<line>\d+)$/,
  // VCS
  /^\s{0,4}"?(?<file>[^\s",]+\.\w{1,8})"?, (?<line>\d+)(?:: token is .*)?$/,
  // Bundler
  /^\s#\s{1,4}from (?<file>[^\s:]+):(?<line>\d+)$/,
  // Terraform
  /^[\s│|]{1,8}on (?<file>\S+\.(?:tf|hcl|tfvars|json)) line (?<line>\d+)/,
];

/** Places whose message follows on the next line, or after an empty one. */
export const PLACES_ABOVE: readonly RegExp[] = [
  // pydocstyle, Redocly
  new RegExp(
    String.raw`^(?:\[\d+\] )?${PATH}:(?<line>\d+)(?::(?<column>\d+))? (?:in|at) (?:#\S*|[\w ]+(?:\`[^\`]*\`)?:)$`,
  ),
  // Cray: ftn-1725 crayftn: ERROR SHOP, File = file, Line = 12, Column = 5
  /^(?<code>(?:ftn|CC)-\d{1,5}) \w{2,10}: (?<severity>ERROR|WARNING|NOTE|CAUTION)(?: [^,\s]+,)? File = (?<file>[^,]+), Line = (?<line>\d+)(?:, Column = (?<column>\d+))?\s*$/,
];

/**
 * Formats of tools that name the file, or file and line, once above a block of findings: the heading of the
 * block, and a finding in it.
 */
export const BLOCKS: readonly { heading: RegExp; finding: RegExp }[] = [
  // ShellCheck
  {
    heading: /^In (?<file>\S+) line (?<line>\d+):$/,
    finding: /^\s*\^[-^]*\s?(?<code>SC\d{4}) \((?<severity>error|warning|info|style)\): (?<message>\S.*)/,
  },
  // SQLFluff
  {
    heading: /^== \[(?<file>[^\]]+)\] FAIL$/,
    finding: /^L: +(?<line>\d+) \| P: +(?<column>\d+) \| +(?<code>\w+) \| (?<message>\S.*)/,
  },
  // PHP_CodeSniffer
  {
    heading: /^FILE: (?<file>\S+)$/,
    finding: /^\s*(?<line>\d+) \| (?<severity>ERROR|WARNING) \| (?:\[.\] )?(?<message>\S.*)/,
  },
  // PHPStan
  {
    heading: /^\s{1,3}Line\s{2,}(?<file>\S+\.\w+)(?: \(in context of [^)]*\))?$/,
    finding: /^\s{1,3}:?(?<line>\d+)\s{2,}(?<message>\S.*)/,
  },
  // rflint
  {
    heading: /^\+ (?<file>\S.*\.\w{1,8})$/,
    finding: /^(?<letter>[EWI]): (?<line>\d+), (?<column>\d+): (?<message>\S.*)/,
  },
  // ESLint under Create React App, Next.js and webpack
  {
    heading: /^(?:\.\/)?(?<file>[\w@./\\-]+\.\w{1,8})$/,
    finding: /^\s+Line (?<line>\d+):(?<column>\d+):\s+(?<message>\S.*?)(?:\s{2,}(?<code>[a-z@][\w@/-]*))?$/,
  },
];
