import * as z from "zod";
import { USAGE_TYPES, type UsageType } from "./contract.ts";

/** A name, or the beginning of names and a `*`. */
const Pattern = z
  .string()
  .regex(/^[^*]{0,256}\*?$/, "must be a name such as search, or the beginning of names such as export_*");
const Gate = z
  .string()
  .regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/, "must be a gate such as skills.advanced");

const Gated = z.strictObject({
  /** The gate that a plan must grant. The item is hidden from other plans. */
  gate: Gate.optional(),
});

const ToolRule = Gated.extend({
  /** The usage type that a call counts as; false if it does not count. */
  usage: z.union([z.enum(USAGE_TYPES), z.literal(false)]).optional(),
  /** Units counted per call. */
  cost: z.int().min(0).max(1_000_000).optional(),
  /** Whether a call counts if the upstream answers with an error or not at all. */
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
    /** The display name. */
    title: z.string().min(1).max(100).optional(),
    description: z.string().min(1).max(500).optional(),
    /** Its MCP endpoint over streamable HTTP. Either this or `command` is set. */
    url: z
      .url({ protocol: /^https?$/, error: "must be the http or https URL of its MCP endpoint" })
      .refine(holdsNoUser, {
        error: "must hold no user and password, which are not sent: give them as an Authorization of headers",
      })
      .optional(),
    /** The program that speaks MCP on stdin and stdout, with its arguments. Run without a shell. */
    command: z.array(z.string().min(1)).min(1).optional(),
    /** The `aud` of the identity token; by default the URL, or `stdio:<name>` for a program. */
    audience: z.string().min(1).max(256).optional(),
    /** Headers sent with every request to the URL. `env:NAME` is replaced by the server's environment variable. */
    headers: z.record(HeaderName, z.string()).optional(),
    /** Environment variables of a program, in addition to PATH and HOME. `env:NAME` is replaced as in `headers`. */
    env: z.record(z.string().min(1), z.string()).optional(),
    tools: z.record(Pattern, ToolRule).optional(),
    prompts: z.record(Pattern, Gated).optional(),
    /** By URI. */
    resources: z.record(Pattern, Gated).optional(),
    /** Longest silence before an answer. */
    timeoutSeconds: Seconds.optional(),
    /** Concurrent requests of one account on one instance. */
    concurrency: z.int().min(1).max(10_000).optional(),
    /** How many of those a program has at once. */
    parallel: z.int().min(1).max(10_000).optional(),
  })
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), {
    message: "must have either a url or a command",
  })
  // Ignored, they would be missed only when the upstream refuses its calls.
  .refine(({ command, headers }) => !(command && headers), {
    path: ["headers"],
    message: "are for a url: a program is given variables, in env",
  })
  .refine(({ url, env }) => !(url && env), {
    path: ["env"],
    message: "is for a program: a url is given headers",
  });
export type Upstream = z.infer<typeof Upstream>;

function holdsNoUser(url: string): boolean {
  // What is no URL has been told already.
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === "" && password === "";
}

/** The effective rule of one tool, merged from all matching patterns. Longer patterns take precedence. */
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

/** Returns the rules that have gates. The first that matches a name applies. */
export function gatedOf(
  rules: Upstream["prompts"] = {},
): { gate: string; matches: (name: string) => boolean }[] {
  return Object.entries(rules)
    .sort(([left], [right]) => specificity(right) - specificity(left))
    .flatMap(([pattern, { gate }]) => (gate === undefined ? [] : [{ gate, matches: matcherOf(pattern) }]));
}

/** Returns the rules whose patterns match, the shortest pattern first. */
function matching<Rule>(rules: Readonly<Record<string, Rule>> = {}, name: string): Rule[] {
  return Object.entries(rules)
    .filter(([pattern]) => matcherOf(pattern)(name))
    .sort(([left], [right]) => specificity(left) - specificity(right))
    .map(([, rule]) => rule);
}

function matcherOf(pattern: string): (name: string) => boolean {
  if (!pattern.endsWith("*")) return (name) => name === pattern;
  const beginning = pattern.slice(0, -1);
  return (name) => name.startsWith(beginning);
}

function specificity(pattern: string): number {
  return pattern.endsWith("*") ? pattern.length - 1 : Number.POSITIVE_INFINITY;
}

/** Returns every gate that an upstream uses, with its path in the configuration. */
export function gatesOf(upstream: Upstream): { gate: string; path: string[] }[] {
  return (["tools", "prompts", "resources"] as const).flatMap((kind) =>
    Object.entries(upstream[kind] ?? {}).flatMap(([pattern, { gate }]) =>
      gate === undefined ? [] : [{ gate, path: [kind, pattern, "gate"] }],
    ),
  );
}
