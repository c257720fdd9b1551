import { cause, symptom, within } from "./signature.ts";

export const shell = within("shell", [
  cause(
    "command-not-found",
    "missing_file",
    /(?:^|: )(?<command>[\w@./+-]+): (?:command )?not found$|^(?:zsh|fish): (?:command not found|Unknown command): (?<command2>\S+)|'(?<command3>[\w.-]+)' is not recognized as an internal or external command|exec: "(?<command4>[^"]+)": executable file not found|env: ['‘]?(?<command5>[\w-]+)['’]?: No such file|The term '(?<command6>[^']+)' is not recognized|spawn (?<command7>\S+) ENOENT/,
    "sh: 1: tsup: not found",
    94,
  ),
  cause(
    "shell-syntax",
    "configuration",
    /: (?:line \d+: )?syntax error(?: near unexpected token|:)|unexpected EOF while looking for matching|: unbound variable$|bad substitution|Bad substitution/,
    "build.sh: line 12: syntax error near unexpected token `fi'",
    92,
  ),
  cause(
    "variable-missing",
    "configuration",
    /(?:environment variable|env(?:ironment)? var|secret|[Ii]nput|option|setting) ['"`]?(?<module>[A-Za-z_][\w.-]*)['"`]? (?:is|was|must be|not) ?(?:required|not set|missing|undefined|set|supplied|empty)|[Mm]issing required (?:environment variable|input|argument|option|parameter|configuration)/,
    "Error: environment variable DATABASE_URL is not set",
    91,
  ),
  cause(
    "bad-interpreter",
    "configuration",
    /bad interpreter: |exec format error|cannot execute binary file|\$'\\r': command not found/,
    "./build.sh: /bin/bash^M: bad interpreter: No such file or directory",
    94,
  ),
  symptom(
    "usage",
    "configuration",
    /(?:unrecognized|unknown|invalid|illegal) (?:option|argument|flag|command|subcommand)s?\b[:' "-]/i,
    "tar: unrecognized option '--zst'",
    80,
  ),
]);
