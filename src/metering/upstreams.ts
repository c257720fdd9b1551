import { z } from "zod";
import { USAGE_TYPES, type UsageType } from "./contract.ts";

/** A name, or the beginning of names and a `*`. */
const Pattern = z
  .string()
  .regex(/^[^*]{0,256}\*?$/, "must be a name such as search, or the beginning of names such as export_*");
const Gate = z
  .string()
  .regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/, "must be a gate such as skills.advanced");

const Gated = z.strictObject({
  /** What a plan must grant; whoever has another plan does not see it. */
  gate: Gate.optional(),
});

const ToolRule = Gated.extend({
  /** What a call counts as; false: as nothing. */
  usage: z.union([z.enum(USAGE_TYPES), z.literal(false)]).optional(),
  /** How many of it. */
  cost: z.int().min(0).max(1_000_000).optional(),
  /** Whether a call counts that the upstream answers with an error, or not at all. */
  countErrors: z.boolean().optional(),
});

const HeaderName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "must be the name of a header");
const Seconds = z.int().min(1).max(3600);

/** An MCP server behind this one, at `/mcp/<name>`. */
export const Upstream = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be a name such as github: a to z, 0 to 9 and -"),
    /** For people. */
    title: z.string().min(1).max(100).optional(),
    description: z.string().min(1).max(500).optional(),
    /** Its MCP endpoint over streamable HTTP … */
    url: z
      .url({ protocol: /^https?$/, error: "must be the http or https URL of its MCP endpoint" })
      .optional(),
    /** … or the program that speaks MCP on stdin and stdout, with its arguments. No shell reads it. */
    command: z.array(z.string().min(1)).min(1).optional(),
    /** The `aud` of the identity that it gets; its URL unless said, `stdio:<name>` of a program. */
    audience: z.string().min(1).max(256).optional(),
    /** Sent with every request; `env:NAME` is the value of a variable of the server's environment. */
    headers: z.record(HeaderName, z.string()).optional(),
    /** Of a program, beside PATH and HOME; `env:NAME` likewise. */
    env: z.record(z.string().min(1), z.string()).optional(),
    tools: z.record(Pattern, ToolRule).optional(),
    prompts: z.record(Pattern, Gated).optional(),
    /** By URI. */
    resources: z.record(Pattern, Gated).optional(),
    /** Without a byte of an answer. */
    timeoutSeconds: Seconds.optional(),
    /** Requests under way of one account on one instance. */
    concurrency: z.int().min(1).max(10_000).optional(),
  })
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), {
    message: "must have either a url or a command",
  });
export type Upstream = z.infer<typeof Upstream>;

/** What holds of one tool: all patterns that it matches, the longer before the shorter. */
export interface ToolRuleOf {
  gate?: string | undefined;
  usage: UsageType | false;
  cost: number;
  countErrors: boolean;
}

export function ruleOfTool({ tools }: Pick<Upstream, "tools">, name: string): ToolRuleOf {
  const found = matching(tools, name);
  return { usage: "mcp_calls", cost: 1, countErrors: false, ...Object.assign({}, ...found) };
}

export function gateOf(rules: Upstream["prompts"], name: string): string | undefined {
  return matching(rules, name).findLast(({ gate }) => gate !== undefined)?.gate;
}

/** The shortest pattern first. */
function matching<Rule>(rules: Readonly<Record<string, Rule>> = {}, name: string): Rule[] {
  return Object.entries(rules)
    .filter(([pattern]) => (pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern))
    .sort(([left], [right]) => specificity(left) - specificity(right))
    .map(([, rule]) => rule);
}

function specificity(pattern: string): number {
  return pattern.endsWith("*") ? pattern.length - 1 : Number.POSITIVE_INFINITY;
}

/** Every gate that an upstream asks for, with the path where it stands. */
export function gatesOf(upstream: Upstream): { gate: string; path: string[] }[] {
  return (["tools", "prompts", "resources"] as const).flatMap((kind) =>
    Object.entries(upstream[kind] ?? {}).flatMap(([pattern, { gate }]) =>
      gate === undefined ? [] : [{ gate, path: [kind, pattern, "gate"] }],
    ),
  );
}
