import type { Sighting } from "../../finding.ts";
import { commandsIn } from "../../syntax/commands.ts";
import type { Fragment } from "../../syntax/fragment.ts";

/** Commands that a shell runs from a variable: `bash -c "… $1"`, `xargs sh -c '… {}'`, `Invoke-Expression $x`. */
const NESTED =
  /\b(?:ba|z|da|k)?sh\s{1,4}-\w{0,4}c\s{1,4}(?:"[^"]{0,200}\$[\w{(@*]|\$[\w{@*])|\bxargs\b[^|]{0,80}\bsh\s{1,4}-c\s{1,4}["'][^"']{0,80}\{\}|\bInvoke-Expression\s{1,4}(?:"[^"]{0,300}\$|[^'"\s])|(?<![^\s|;])iex\s{1,4}[($]/;

export function* shellCommands(fragment: Fragment): Iterable<Sighting> {
  for (const { code, placesAt } of commandsIn(fragment)) {
    const match = NESTED.exec(code);
    if (!match) continue;
    const message = "A shell is given a command that holds a variable; what is in it can be commands too.";
    yield { places: placesAt(match.index), message, severity: "warning" };
  }
}

/** Fields of a GitHub event that anyone who opens an issue or pull request controls. */
const UNTRUSTED =
  /\$\{\{\s{0,4}(?:[^}]|\}(?!\})){0,80}github\.(?:event\.(?:issue\.(?:title|body)|pull_request\.(?:title|body|head\.(?:ref|label|repo\.default_branch))|comment\.body|review\.body|review_comment\.body|discussion\.(?:title|body)|head_commit\.(?:message|author\.(?:email|name))|commits[^}]{0,40}\.message|pages[^}]{0,40}\.page_name|workflow_run\.head_branch)|head_ref)\b/;

/** An expression that says only yes or no: `${{ !contains(github.head_ref, 'release') }}`. */
const YES_OR_NO =
  /^\$\{\{\s{0,4}!?\s{0,2}(?:(?:contains|startsWith|endsWith)\([^()]{0,200}\)|[\w.'-]{1,100}\s{0,4}[=!]=\s{0,4}[^&|()]{1,100})\s{0,4}\}\}/;

/** What each of them begins with. */
const FIELD = "github.";

/** A variable of the environment that is given one of those fields, which changes nothing: `REF: ${{ github.head_ref }}`. */
const GIVEN = new RegExp(`^\\s{0,40}(\\w{1,60}):\\s{1,8}["']?[^\\n]{0,60}?${UNTRUSTED.source}`);

/** Finds the names of variables that hold untrusted text. */
function untrustedVariables({ lines }: Fragment): ReadonlySet<string> {
  const named = lines.flatMap(({ text }) => (text.includes(FIELD) ? (GIVEN.exec(text)?.[1] ?? []) : []));
  return new Set(named.filter((name) => !/^(?:run|script)$/.test(name)));
}

/** Whether an expression is replaced with a variable's text before the shell reads it: `${{ env.REF }}`, not `$REF`. */
function pastedVariable(code: string, variables: ReadonlySet<string>): RegExpExecArray | undefined {
  if (variables.size === 0) return undefined;
  for (const match of code.matchAll(/\$\{\{\s{0,4}env\.(\w{1,60})\s{0,4}\}\}/g))
    if (variables.has(match[1] ?? "")) return match;
  return undefined;
}

/** Finds untrusted expressions within `run:`, which are pasted into the script before the shell reads it. */
export function* expressionsInWorkflow(fragment: Fragment): Iterable<Sighting> {
  const variables = untrustedVariables(fragment);
  let block: number | undefined;
  for (const [line, { text, added }] of fragment.lines.entries()) {
    const indentation = text.length - text.trimStart().length;
    if (block !== undefined && text.trim() !== "" && indentation <= block) block = undefined;
    const run = /^(\s{0,40}(?:-\s{1,4})?)(?:run|script):/.exec(text);
    if (run) block = (run[1] as string).length;
    if (block === undefined || !added) continue;
    const code = fragment.code(line);
    const field = code.includes(FIELD) ? UNTRUSTED.exec(code) : null;
    const match = field ?? pastedVariable(code, variables);
    if (!match || YES_OR_NO.test(code.slice(match.index))) continue;
    const message =
      "An expression that outsiders can write is pasted into a script; hand it over in `env` instead.";
    yield { places: [{ line, column: match.index }], message };
  }
}
