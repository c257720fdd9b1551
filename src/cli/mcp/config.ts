import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { jsonText } from "../ui/terminal-text.ts";
import { CLIENTS, type Client } from "./clients.ts";

/** Returns the entry for `tool mcp` in a client's file, and its path. It holds no credential. */
export function entryFor(
  { io, settings }: Pick<Context, "io" | "settings">,
  { client: name, tools }: { client: string; tools?: string },
) {
  const { file, shared, path, value } = CLIENTS[name] as Client;
  const [node, script] = io.program as [string, string];
  const words = [
    "mcp",
    ...(tools === undefined ? [] : ["--tools", tools]),
    ...given("--project", settings.project),
    ...given("--base-url", settings.baseUrl),
  ];
  const program = shared ? { command: "tool", args: words } : { command: node, args: [script, ...words] };
  return { file, path, program, value: value(program) };
}

/** Prints what an editor needs to start `tool mcp`: the command `tool mcp config`. */
export async function printConfig(
  context: Context,
  options: { client: string; tools?: string },
): Promise<Outcome> {
  const { io } = context;
  const { file, path, program, value } = entryFor(context, options);
  const snippet =
    typeof value === "string"
      ? value
      : path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  io.err.line(io.err.style.dim(`Goes into ${file}:`));
  const text = typeof snippet === "string" ? snippet : jsonText(snippet, 2);
  return { document: { client: options.client, file, ...program, snippet }, raw: `${text}\n` };
}

/** Returns a flag for a value that an editor would not know, from a flag or this shell's environment. */
function given(
  flag: string,
  { value, origin }: { value: string | undefined; origin: { kind: string } },
): string[] {
  const isKnownHereAlone = origin.kind === "flag" || origin.kind === "environment";
  return isKnownHereAlone && value !== undefined ? [flag, value] : [];
}
