import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { jsonText } from "../ui/terminal-text.ts";

interface Program {
  command: string;
  args: readonly string[];
}

interface Client {
  /** Where its configuration lies, in words that follow "Goes into". */
  file: string;
  /** A file that is shared with others of the project names `tool`; one of this machine the very program. */
  shared: boolean;
  /** Where in the file the entry stands, and what it is: text where the file is TOML. */
  path: readonly string[];
  value: (program: Program) => unknown;
}

const servers = { path: ["mcpServers", "toolplane"], value: (program: Program): unknown => program };
const CLAUDE: Client = { file: ".mcp.json of the project (Claude Code)", shared: true, ...servers };

/** By what `--client` takes. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  claude: CLAUDE,
  "claude-code": CLAUDE,
  "claude-desktop": {
    file: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    shared: false,
    ...servers,
  },
  codex: { file: "~/.codex/config.toml", shared: false, path: ["mcp_servers", "toolplane"], value: toml },
  cursor: { file: ".cursor/mcp.json of the project, or ~/.cursor/mcp.json", shared: true, ...servers },
  gemini: { file: "~/.gemini/settings.json", shared: false, ...servers },
  vscode: {
    file: ".vscode/mcp.json of the project",
    shared: true,
    path: ["servers", "toolplane"],
    value: (program) => ({ type: "stdio", ...program }),
  },
  windsurf: { file: "~/.codeium/windsurf/mcp_config.json", shared: false, ...servers },
  zed: {
    file: "~/.config/zed/settings.json",
    shared: false,
    path: ["context_servers", "toolplane"],
    value: (program) => ({ source: "custom", ...program, env: {} }),
  },
};

/** What of `tool mcp` a client's file is to hold, and where. No secret is part of it: the credential stays where it is. */
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

/** `tool mcp config`: what an editor needs to start `tool mcp`. */
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

/** What was said here, or stands in this shell's environment, an editor would not know; files it finds again. */
function given(
  flag: string,
  { value, origin }: { value: string | undefined; origin: { kind: string } },
): string[] {
  const isKnownHereAlone = origin.kind === "flag" || origin.kind === "environment";
  return isKnownHereAlone && value !== undefined ? [flag, value] : [];
}

/** JSON's strings and arrays of strings are TOML's too (TOML 1.0, basic strings). */
function toml({ command, args }: Program): string {
  return [
    "[mcp_servers.toolplane]",
    `command = ${jsonText(command)}`,
    `args = [${args.map((word) => jsonText(word)).join(", ")}]`,
  ].join("\n");
}
