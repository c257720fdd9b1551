/** Formats in which tools name a place in a file, other than on the line of a finding. */

export const FOREIGN_CLASS =
  /^(?:java|javax|x?sbt|(?:lm)?coursier|jakarta|jdk|sun|kotlinx?|scala|groovy\w*|org\.(?:junit|testng|assertj|hamcrest|mockito|apache\.maven|gradle|codehaus|springframework|hibernate|flywaydb|postgresql|openqa)|com\.(?:sun|fasterxml|zaxxer|mysql)|io\.(?:netty|quarkus|micronaut|vertx|grpc)|liquibase|reactor|hudson|jenkins)\./;

export const PYTHON_FRAME = /^(?:E\s)?\s*File "(?<file>[^"<][^"]*)", line (?<line>\d+)/;
export const PYTEST_FRAME =
  /^(?<file>[^\s:]+\.py):(?<line>\d+): (?:in \S|(?:[A-Z]\w*(?:Error|Exception|Failed)?)?$)/;
/** The place of a test whose fixture pytest does not find. */
export const PYTEST_FILE = /^file (?<file>\S+\.py), line (?<line>\d+)$/;
export const SCRIPT_FRAME =
  /^\s*at (?:.*\()?(?:file:\/\/|webpack:\/\/[\w.-]*\/)?(?<file>\/?[^\s():]+|[A-Z]:[^():]+):(?<line>\d+):(?<column>\d+)\)?(?: \{)?$/;
/** Of Node's own runner and node-tap, without a word before it. */
const BARE_FRAME =
  /^\s+[\w$.<>]{1,100} \((?:file:\/\/)?(?<file>\/?[^\s():]+\.[cm]?[jt]sx?):(?<line>\d+):(?<column>\d+)\)$/;
const VITEST_FRAME = /^\s*❯ (?:\S.* )?(?<file>[^\s:]+\.\w+):(?<line>\d+):(?<column>\d+)$/;
const JAVA_FRAME = /^\s*at (?<class>[\w.$]+)\.[\w$<>]+ ?\((?<file>\w+\.\w+):(?<line>\d+)\)/;
const GO_FRAME = /^\s+(?<file>\S+\.go):(?<line>\d+)(?: \+0x|$)/;
const RUBY_FRAME =
  /^\s*(?:from |# )?(?<file>[^\s:]*(?:\.(?:rb|rake|gemspec)|Rakefile|Gemfile|Capfile)):(?<line>\d+):in /;
const PHP_FRAME = /^\s*(?:#\d+ |at |\d+\s+)?(?<file>\/?[^\s:()]+\.php)(?:\((?<line>\d+)\)|:(?<line2>\d+)$)/;
/** Of the sanitizers of GCC and Clang: `#1 0x55 in fill src/over.c:3:9`. */
const SANITIZER_FRAME =
  /^\s+#\d+ (?:0x[0-9a-f]+ )?(?:in )?\S.{0,300}? (?<file>[^\s:()]+\.\w{1,5}):(?<line>\d+)(?::(?<column>\d+))?(?: \(.*)?$/;
/** Of Dr. Memory: `# 1 fill  [/w/src/over.c:3]`. */
const DR_MEMORY_FRAME =
  /^(?:~~Dr\.M~~ )?# ?\d+ (?!replace_)\S.{0,300}? {2,}\[(?<file>(?:[A-Za-z]:)?[^:[\]]+):(?<line>\d+)\]$/;
const VALGRIND_FRAME = /^==\d+==\s+(?:at|by) 0x[0-9A-F]+: .{1,300}? \((?<file>[^\s:()]+):(?<line>\d+)\)$/;
const DOTNET_FRAME = /^\s*at \S.{0,300}? in (?<file>(?:[A-Z]:)?[^\s:]+):line (?<line>\d+)$/;
const LUA_FRAME = /^\s+(?<file>[^\s:[\]]+\.lua):(?<line>\d+): in /;
const JULIA_FRAME = /^\s+@ \S+ (?<file>[^\s:]+\.jl):(?<line>\d+)$/;
/** Of Elixir's stack traces: `(shop 0.1.0) lib/shop/cart.ex:4: Shop.Cart.total/1`, `test/cart_test.exs:9: (test)`. */
const ELIXIR_FRAME =
  /^\s+(?:\((?!(?:elixir|stdlib|kernel|ex_unit|mix|iex|eex|logger) )[a-z]\w* [\w.+-]+\) )?(?<file>[^\s:()]+\.(?:exs?|eex|heex)):(?<line>\d+): (?:(?<class>[A-Z][\w.]*)|\()/;
/** Of Erlang's: `in function cart_tests:total_test/0 (test/cart_tests.erl, line 5)`. */
const ERLANG_FRAME = /^\s*in (?:function|call from) \S+ \((?<file>[^\s(),]+\.[eh]rl), line (?<line>\d+)\)$/;
const BATS_FRAME = /^# \((?:in|from) .{0,200}?file (?<file>[^\s,]+), line (?<line>\d+)\)$/;
const TCL_FRAME = /^\s+\(file "(?<file>[^"]+)" line (?<line>\d+)\)$/;
/** Of TAP and of Node's own runner. */
const LOCATION = /^\s*location: '?(?:file:\/\/)?(?<file>[^\s:']+):(?<line>\d+)(?::(?<column>\d+))?'?$/;
/** Node prints the place of an uncaught error above the error. */
export const ALONE =
  /^(?:Exception during run: )?(?:file:\/\/)?(?<file>(?:[A-Z]:)?[^\s:]+\.[A-Za-z]\w*):(?<line>\d+)(?:[:.](?<column>\d+))?(?:-\d+)?:?$/;
/** Of Rust, above the message of a panic. */
export const PANICKED =
  /^thread '.{1,200}' .{0,20}panicked at (?<file>\S+\.rs):(?<line>\d+):(?<column>\d+):$/;
/** Of Biome, above the message: the place, the lint rule and a horizontal line. */
export const BIOME = /^(?<file>\S+\.\w+)(?::(?<line>\d+):(?<column>\d+))? [\w/]+\s+(?:FIXABLE\s+)?━/;
/** Of Knex, above what the database says. */
export const MIGRATION = /^migration file "(?<file>[^"]+)" failed$/;
/** Of OCaml and dune, above the source and the message. */
export const OCAML = /^File "(?<file>[^"]+)", lines? (?<line>\d+)(?:-\d+)?, characters \d/;
/** A file alone, but not the heading of a test's output. */
export const FILE_ALONE = /^(?!console\.[a-z]+$|.*\.{4})(?<file>[\w./\\@-]+\.[A-Za-z]\w{0,7})$/;
/** Of Eleventy and others, which name the template in a list of errors. */
export const LISTED = /^(?:\[\w+\] )?\d\. \((?<file>[\w./\\@-]+\.[A-Za-z]\w{0,7})\)$/;
/** Of Cucumber, above the steps of a scenario that failed. */
export const SCENARIO = /^\d{1,4}\) Scenario: .* # (?<file>\S+\.feature):(?<line>\d+)$/;
/** Of Gradle, above what went wrong in a script. */
export const GRADLE_SCRIPT =
  /^(?:Build|Settings|Script|Initialization script) file '(?<file>[^']+)' line: (?<line>\d+)$/;
/** Of Clojure, above what its compiler does not resolve. */
export const CLOJURE = /^Syntax error .{0,60}\bat \((?<file>[^\s():]+):(?<line>\d+)(?::(?<column>\d+))?\)\.$/;
export const WEBPACK =
  /^ERROR in (?<file>\.{0,2}\/?[^\s!:]+\.\w+)(?: (?<line>\d+):(?<column>\d+)(?:-\d+)?)?$/;
/** Of ts-loader, above its message. */
export const TS_LOADER = /^(?:\[tsl\] )?(?:ERROR|WARNING) in (?<file>.+)\((?<line>\d+),(?<column>\d+)\)$/;
/** npm says on a line of its own which file it could not read. */
export const NPM_PATH = /^npm (?:ERR!|error) path (?<file>\S+\.\w{1,8})$/;
/** MSBuild ends a message with the project that was built, which may be all that is the user's own. */
export const MSBUILD_PROJECT = /\[(?<file>[^[\]]+\.\w{1,6}proj)(?:::[^\]]*)?\]$/;
export const CMAKE = /^CMake (?:Error|Warning)(?: \(dev\))? at (?<file>[^\s:]+):(?<line>\d+)/;
/** CMake lists the callers of a module under "Call Stack", the nearest first. */
export const CMAKE_CALLER =
  /^ {2}(?<file>(?:[^\s:()]+[/\\])?CMakeLists\.txt|[^\s:()]+\.cmake):(?<line>\d+) \(\w+\)$/;
/** Make names the recipe whose command it did not find. */
export const RECIPE = /^g?make(?:\[\d+\])?: \*\*\* \[(?<file>[^\s:\]]+):(?<line>\d+): [^\]]+\] Error 127$/;
/**
 * GCC and Clang name the file that includes a header above what they found in it, Zig what refers to it, with what is in
 * it, below.
 */
export const INCLUDED_FROM =
  /^(?:(?:In file included|\s+) from |\s{4}[\w.]{1,80}: (?=\S+\.zig:))(?<file>(?:[A-Z]:)?[^\s:]+):(?<line>\d+)/;
/** BuildKit quotes the step under the file and the line. */
export const DOCKERFILE = /^(?<file>[\w./-]*(?:Dockerfile[\w.-]*|\.dockerfile)):(?<line>\d+)$/;
/** CommonJS lists the files that require a module. */
const REQUIRE_STACK = /^- (?<file>(?:[A-Z]:)?[\\/]\S+\.\w{1,8})$/;
/** Formats in which a message itself names the file that asks for something, or the settings that it is about. */
export const IN_TEXT: readonly RegExp[] = [
  /\b(?:imported|required|included|referenced) (?:from|by|in) ['"`]?(?<file>[^\s'"`]+\.\w{1,8})\b/,
  /\bfrom ['"`](?<file>[^\s'"`]+\.\w{1,8})['"`]/,
  /\(from (?:line (?<line>\d+) of|-r) (?<file>[^\s()]+\.\w{1,8})(?: \(line (?<line2>\d+)\))?\)/,
  // assert() of C: program: file:line: function: Assertion …
  /^(?:\S+: )?(?<file>[^\s:]+\.\w{1,5}):(?<line>\d+): .{1,300}: Assertion\b/,
  // Ansible, Robot Framework
  /\bin '(?<file>[^'\s]+\.\w{1,8})': line (?<line>\d+)/,
  // EJS: message (5:1) in page.ejs; Dnsmasq: bad option at line 2 of shop.conf
  /\((?<line>\d+):(?<column>\d+)\) in (?<file>[^\s:]+\.\w{1,8})\b/,
  /\bat line (?<line>\d+) of (?<file>[^\s:]+\.\w{1,8})\b/,
  /\b[Ii]n file '(?<file>[^'\s]+\.\w{1,8})' on line (?<line>\d+)/,
  // Psych, Ruby's reader of YAML: (file): message at line 1 column 5
  /\((?<file>[^\s()]+\.\w{1,8})\): .{1,200} at line (?<line>\d+) column (?<column>\d+)/,
  // Elixir: ** (CompileError) file:line: …
  /^\*\* \([\w.]{1,60}\) (?<file>[^\s:]+\.exs?):(?<line>\d+)(?::(?<column>\d+))?:/,
  // Perl
  /\bat (?<file>[^\s'"]+\.(?:p[lm]|t)) line (?<line>\d+)(?:, <\w+> line \d+)?\.$/,
  // R
  /^Error in .{1,200} : (?<file>[^\s:]+\.[rR]):(?<line>\d+):\d+: /,
  // kubectl: error parsing file: …: yaml: line 9: …
  /\bparsing (?<file>[^\s:]+\.ya?ml): .*\bline (?<line>\d+)/,
  // Helm: parse error at (chart/templates/file:14): …
  /\bat \((?<file>[^\s():]+\.\w{1,8}):(?<line>\d+)(?::\d+)?\)/,
  /\bat `(?<file>\/[^\s`]+\.\w{1,8})`/,
  // PHP
  /\bin (?<file>\/\S+\.php) on line (?<line>\d+)$/,
  // files that have no extension
  /(?:^|[\s'"(])(?<file>(?:[\w.@+-]*\/)*(?:Caddyfile|Jenkinsfile|Vagrantfile|Procfile)):(?<line>\d+)\b/,
  /\b[Dd]ockerfile parse error on line (?<line>\d+)/,
];
/** A file name with an extension, and its line in any of the usual forms. */
export const ANYWHERE =
  /(?:^|[\s'"`(<[=])(?:file:\/\/)?(?<file>(?:[A-Z]:)?[\w@~.+/\\-]{0,200}[\w+-]\.[A-Za-z]\w{0,9})['"`]?(?:(?::|\((?=\d+(?:[:,.] ?\d+)?\)(?:[\s:,.]|$)))(?<line>\d+)(?:[:,.] ?(?<column>\d+))?|,? (?:\(|at |on |in )?[Ll]ine:? (?<line2>\d+)|\[(?<line3>[1-9]\d*)(?:,|\](?!\))))/;
/** An error that says only where: Stylus. */
export const ONLY_PLACE = /^\w*Error: (?<file>[^\s:]+\.\w{1,8}):(?<line>\d+):(?<column>\d+)$/;
export const SETTINGS =
  /(?:^|[\s'"`(])(?<file>(?:[\w@~.+-]*\/)*[\w@.+-]+\.(?:json|ya?ml|toml|ini|cfg|xml|tf|lock|config\.[cm]?[jt]s))(?=[\s'"`):,;]|\.?$)/;
/** The file that a message ends with: Mocha, Python's imports. */
export const IN_PARENTHESES =
  /\((?:file:\/\/)?(?<file>(?:[A-Z]:)?[\w@~.+/\\-]*[/\\][\w@.+-]+\.[A-Za-z]\w{0,7})(?::(?<line>\d+))?(?::(?<column>\d+))?\)\.?$/;
/** Formats of a frame of a stack, or of a line in place of one. */
export const FRAMES = [
  SCRIPT_FRAME,
  BARE_FRAME,
  REQUIRE_STACK,
  VITEST_FRAME,
  JAVA_FRAME,
  GO_FRAME,
  RUBY_FRAME,
  PHP_FRAME,
  LOCATION,
  SANITIZER_FRAME,
  DR_MEMORY_FRAME,
  VALGRIND_FRAME,
  DOTNET_FRAME,
  ELIXIR_FRAME,
  ERLANG_FRAME,
  LUA_FRAME,
  JULIA_FRAME,
  BATS_FRAME,
  TCL_FRAME,
];
