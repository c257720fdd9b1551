/** Lines with a word of failure that report none. */
const NOTHING_FAILED = [
  /\b(?:(?<!\d\.)0|no|zero|without(?: any)?) (?:new |known |\w+ )?(?:errors?|failures?|failed|failing|problems?|issues?|vulnerabilities|offenses|violations|exceptions?|conflicts?|regressions?|(?:files?|tests?) exceed\w*)\b|\b0 (?:\w+ )?exceeded\b/i,
  /\b(?:errors?|failures?|failed|failing|fail|problems?|issues?|violations?|crashed)\b["']?\s?[:=]\s?["']?(?:0\b|none\b|false|null)/i,
  /\b(?:fail[-_]fast|continue[-_]on[-_]errors?|fail[-_]\w*[-_]?(?:if|on)[-_]\w+|if[-_]no[-_]files[-_]found|on[-_](?:error|failure)|ignore[-_](?:errors?|failures?)|error[-_](?:level|log|page|handl\w+|format)|err(?:or)?file)\b/i,
  /\b(?:errors?|exceptions?|failures?) (?:handl|recover|report|boundar|log(?:ging|s?\b)|prone|messages?\b|codes? (?:table|list)|pages?\b)/i,
  /\b(?:(?<!\[)recovered|ignored|ignoring|suppressed|expected (?:error|failure)|non-fatal|harmless|as expected|will retry|(?<!out )retrying|Retrying|[Tt]rying again|falling back|skipped|(?<!\) - )skipping)\b(?!=)/,
  /(?:\.\.\.|…|:| -)\s*(?:ok|OK|passed|PASSED|success|done|yes|no)\.?$/,
  // Debian's packages without a terminal and without init, as in any container
  /^(?:debconf|invoke-rc\.d): /,
  // announcements of what a later version will want
  /\b[Ff]uture (?:\S+ ){0,3}(?:releases?|versions?)\b|\bin the next (?:major|minor) (?:release|version)\b/,
  // what is to be gone is
  /\b(?:could not|cannot|failed to|unable to) (?:delete|remove|unlink)\b.*\bno such file/i,
  // what automake adds to a project
  /: installing '\.\//,
  /^\s*(?:✓|✔|√|PASS(?:ED)?\b|ok \d+|--- PASS|\[\s+OK \]|--- SKIP)/,
];

/**
 * Lines that show what is run or set, not its output: commands echoed by the shell, Git or a build service, a
 * program's list of files.
 */
const COMMAND =
  /^(?:\++ |\$ |> (?:git |[a-z@])|Run |shell: |\s+(?:[\w-]+: [^\s*]+$|-D)|Download(?:ing|ed)\b|Compiling (?:\S+ v|\S+\.\w{1,5}$)|\[\d+\/\d+\] |\s*(?:CC|CXX|LD|AR)\s|adding: |inflating: |creating: |copying )|^(?:\S+\/)?(?:gcc|g\+\+|cc|c\+\+|clang\S*|sccache|cl\.exe|javac|rustc) .{40}|-Werror\b.* -[a-zA-Z]/;

/** Source text that a tool quotes: a gutter of line numbers, a marker under it, a statement that throws. */
const SOURCE =
  /^\s*(?:[>→]\s*)?\d{0,6}\s?[|│┃╵·](?! (?:Error|Warning): | (?:ERROR|WARNING) \|| [A-Z]{6}_FAILED )|^\s*[~^]+\s*$|^\s+(?:throw\b|raise\b|return\b|if\b|assert\b|console\.|except\b|catch\b|self\.|def \w|fn \w|const |let |var |await )|^\s*[}\])]+[,;]?\s*$|^[-+]\s{2,}\S|^\s+\w+\(.*\)[;,]?$/;

/** A property of an error object other than its message. */
const PROPERTY =
  /^\s*(?:npm (?:ERR!|error)\s+)?(?:errno|code|syscall|address|port|path|hostname|host|type|requiredBy)\b:? /;

export function isProperty(text: string): boolean {
  return PROPERTY.test(text);
}

/** A frame of a stack, which says where, not what. */
const FRAME =
  /^\s*(?:at (?:async )?(?:new )?[\w$.<>#[\]/@-]+ ?[(:]|at (?:async )?(?:file:|\/|[A-Z]:\\|node:)|at \S+:\d+(?::\d+)?$|\.{3} \d+ (?:more|common)|File "[^"]+", line \d+|[\w/.-]+\.go:\d+ \+0x|#\d+ 0x|\d+: +0x|\d+: \S+::|from \S+:\d+:in |\S+:\d+:in [`'][^`'\n]*'$|#\d+ \/|\S+\.lua:\d+: in |\S+\.exs?:\d+: \(\w+\)$)/;

export function isQuoted(text: string): boolean {
  return SOURCE.test(text) || FRAME.test(text);
}

export function isCommand(text: string): boolean {
  return COMMAND.test(text);
}

export function tellsOfNoFailure(text: string): boolean {
  return NOTHING_FAILED.some((pattern) => pattern.test(text));
}

/**
 * Activities beside a build, whose failure is seldom the reason why the build failed. A word in a name, such as
 * `src/email/send.ts`, `@acme/analytics` or `'metrics'`, is no activity.
 */
const ASIDE =
  /(?<![\w@./\\'"`‘“-])(?:check(?:ing)? for updates?|update check|upload(?:ing|ed)?|(?<!\bon )metrics?|telemetry|analytics|statistics|notif(?:y|ications?)|e-?mails?|slack|badge|(?:save|restore|saving|restoring) (?:the )?cache|publish\w* .{0,20}reports?)\b(?![/\\'"`’”-]|\.\w)/i;

/** Lines that point to a message elsewhere and say nothing themselves. */
const POINTER =
  /^\W{0,6}(?:error:?\s{1,2})?(?:called from$|See |This error |The (?:error|offending line|above error) (?:appears|may|is|was|happened)|For (?:more|further|additional|help)|Alternatively|Learn more|Read more|Visit |More info|If (?:this|you|the|a path|path|it) |Please (?:see|refer|report)|You can |npm (?:ERR!|error) A complete log|To list )|^\S*https?:\/\/\S+$|\bsee (?:the |above|previous|below)|\bterminated (?:because of|with (?:a )?non-zero)|\b(?:failed with|(?<!script )returned) (?:exit )?(?:status|code)|\berrors? found in\b/i;

export function isPointer(text: string): boolean {
  return POINTER.test(text);
}

export function isAside(text: string): boolean {
  return ASIDE.test(text);
}

export function isFrame(text: string): boolean {
  return FRAME.test(text);
}

/** Maven's advice after every failure, whatever it was. */
const BOILERPLATE =
  /\[Help \d\]|^(?:To see the full stack trace|Re-run Maven|For more information about|After correcting the problems|Please refer to|\s*mvn <(?:goals|args)>)/;

/**
 * What says nothing of the reason, whatever words are in it: in which function GCC is, what automake adds, Gradle's advice
 * after every failure, what Helm tells with `--debug`, and PostgreSQL's refusal of the statements behind the one that failed.
 */
const EMPTY =
  /^(?:[A-Za-z]:)?[^\s:]{1,300}: (?:In|At) (?:\w+ ){0,3}(?:function|constructor|destructor|instantiation|method|program|subroutine|level|scope)\b.*:$|^configure\.(?:ac|in):\d+: installing [`'][^']+'$|^> (?:Run with --(?:stacktrace|info|debug|scan|warning-mode)|Get more help at )|^\S{1,80}\.go:\d+: \[debug\] |ERROR: {1,4}current transaction is aborted, commands ignored/;

export function isEmptyTalk(text: string): boolean {
  return EMPTY.test(text);
}

export function isBoilerplate(text: string): boolean {
  return BOILERPLATE.test(text);
}
