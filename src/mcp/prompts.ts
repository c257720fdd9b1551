import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import * as z from "zod";

/** A frequent request that clients offer to their users, often as a slash command. */
interface OfferedPrompt {
  definition: Prompt;
  /** The tool that the prompt tells the agent to call. Without it the prompt is useless. */
  tool: string;
  text: (given: Readonly<Record<string, string>>) => string;
}

/** Arguments become part of the text that an agent reads, so they are short and on one line. */
const Arguments = z.record(
  z.string(),
  z
    .string()
    .max(500)
    .regex(/^[^\r\n`]*$/, "must be one line without `"),
);

const PROMPTS: readonly OfferedPrompt[] = [
  {
    tool: "code_review_review",
    definition: {
      name: "review_my_change",
      title: "Review my change",
      description: "Review what changed since a commit, and mend what is clearly wrong.",
      arguments: [
        { name: "base", description: "The commit to compare with; HEAD unless said", required: false },
      ],
    },
    text: ({ base = "HEAD" }) =>
      [
        `Review my change. Run \`git diff ${base}\` and give its output as \`diff\` to the tool code_review_review.`,
        "Read each finding in its file before you repeat it: say which are right, which are not, and why.",
        "Then look for what no rule finds: wrong logic, cases that were forgotten, tests that are missing.",
        "Answer with a list, the worst first, each with file, line and what to do. Change nothing unless I ask.",
      ].join("\n"),
  },
  {
    tool: "self_healing_diagnose",
    definition: {
      name: "why_did_this_fail",
      title: "Why did this fail?",
      description: "Run what failed, say why, and mend it.",
      arguments: [{ name: "command", description: "What failed, such as npm test", required: false }],
    },
    text: ({ command }) =>
      [
        command === undefined
          ? "A build or test failed. Take its output from our conversation, or ask me for the command."
          : `Run \`${command}\` and keep all of its output and its exit code.`,
        "Give the output as `log`, with `exitCode`, to the tool self_healing_diagnose.",
        "Check its cause in the files that it names, then tell me in two sentences why it failed.",
        "Mend it, beginning with the suggestion that is ranked first if it fits, and run the command again.",
        "Where a suggestion was tried, tell the tool self_healing_record whether it worked, if you have that tool.",
      ].join("\n"),
  },
];

/** Returns the prompts whose tools are available. */
export function promptsWith(tools: ReadonlySet<string>): Prompt[] {
  return PROMPTS.filter(({ tool }) => tools.has(tool)).map(({ definition }) => definition);
}

/** Returns the text of a prompt. Throws `ProtocolError` -32602 if it does not exist or an argument is invalid. */
export function promptNamed(name: string, given: unknown, tools: ReadonlySet<string>): GetPromptResult {
  const found = PROMPTS.find(({ definition, tool }) => definition.name === name && tools.has(tool));
  if (!found) throw invalid(`There is no prompt "${name.slice(0, 128)}" here.`);
  const { definition, text } = found;
  const known = new Set(definition.arguments?.map((argument) => argument.name));
  const checked = Arguments.safeParse(given ?? {});
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw invalid(`${issue?.path.join(".")} ${issue?.message}`);
  }
  const stranger = Object.keys(checked.data).find((argument) => !known.has(argument));
  if (stranger !== undefined) throw invalid(`${stranger.slice(0, 128)} is no argument of ${name}.`);
  return {
    description: definition.description,
    messages: [{ role: "user", content: { type: "text", text: text(checked.data) } }],
  };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
