import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { jsonText } from "../ui/terminal-text.ts";

interface Program {
  command: string;
  args: readonly string[];
}

interface Client {
  /** Where its configuration is, as a text that follows "Goes into". */
  file: string;
  /** Whether the file is shared in the project. It then names `tool`, otherwise the paths on this machine. */
  shared: boolean;
  /** The path of the entry in the file. Its value is text if the file is TOML. */
  path: readonly string[];
  value: (program: Program) => unknown;
}

const servers = { path: ["mcpServers", "toolplane"], value: (program: Program): unknown => program };
const CLAUDE: Client = { file: ".mcp.json of the project (Claude Code)", shared: true, ...servers };

/** The clients, by their names for `--client`. */
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

/** Returns the entry as TOML. JSON strings and arrays of strings are valid TOML (TOML 1.0, basic strings). */
function toml({ command, args }: Program): string {
  return [
    "[mcp_servers.toolplane]",
    `command = ${jsonText(command)}`,
    `args = [${args.map((word) => jsonText(word)).join(", ")}]`,
  ].join("\n");
}
