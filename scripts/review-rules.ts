import { extensionOf } from "../src/tools/code-review/language/language.ts";
import { RULES } from "../src/tools/code-review/rules.ts";
import { RULE_EXAMPLES } from "./review-rule-examples.ts";

/** Returns docs/code-review-rules.md: a section for each rule, from the rules' own fields. */
export function reviewRulesReference(): string {
  const contents = RULES.map(({ id, message }) => `- [\`${id}\`](#${id}): ${message}`);
  return `<!-- Made by \`npm run docs\` from src/tools/code-review. -->
# The rules of code review

Severities are those of code that runs in production: what a client sends makes an injection an error, a parameter a warning,
a value from elsewhere a hint. In tests, examples and vendored code they are a step lower. To suppress a finding, say why on its
line or the one above: \`tool-ignore <rule>: <reason>\`.

${contents.join("\n")}

${RULES.map(section).join("\n\n")}
`;
}

function section({
  id,
  severity,
  category,
  cwe,
  languages,
  message,
  suggestion,
}: (typeof RULES)[number]): string {
  const { looksFor, path, fires, passes } = RULE_EXAMPLES[id];
  const reference =
    cwe === undefined ? "" : ` · [CWE-${cwe}](https://cwe.mitre.org/data/definitions/${cwe}.html)`;
  const read = languages === "any" ? "every file" : languages.join(", ");
  const code = (text: string) => `\`\`\`${extensionOf(path)}\n${text}\n\`\`\``;
  return `## ${id}
${category} · ${severity}${reference} · reads ${read}

${message}

What it looks for: ${looksFor}

Reported:
${code(fires)}

Not reported:
${code(passes)}

To fix it: ${suggestion.charAt(0).toLowerCase()}${suggestion.slice(1)}`;
}
