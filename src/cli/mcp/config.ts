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
  snippet: (program: Program) => unknown;
}

const servers = (program: Program) => ({ mcpServers: { toolplane: program } });

/** By what `--client` takes. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  claude: { file: ".mcp.json of the project (Claude Code)", shared: true, snippet: servers },
  "claude-desktop": {
    file: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    shared: false,
    snippet: servers,
  },
  codex: { file: "~/.codex/config.toml", shared: false, snippet: toml },
  cursor: { file: ".cursor/mcp.json of the project, or ~/.cursor/mcp.json", shared: true, snippet: servers },
  gemini: { file: "~/.gemini/settings.json", shared: false, snippet: servers },
  vscode: {
    file: ".vscode/mcp.json of the project",
    shared: true,
    snippet: (program) => ({ servers: { toolplane: { type: "stdio", ...program } } }),
  },
  windsurf: { file: "~/.codeium/windsurf/mcp_config.json", shared: false, snippet: servers },
  zed: {
    file: "~/.config/zed/settings.json",
    shared: false,
    snippet: (program) => ({ context_servers: { toolplane: { source: "custom", ...program, env: {} } } }),
  },
};

/** `tool mcp config`: what an editor needs to start `tool mcp`. No secret is part of it: the credential stays where it is. */
export async function printConfig(
  context: Context,
  { client: name, tools }: { client: string; tools?: string },
): Promise<Outcome> {
  const { io, settings } = context;
  const client = CLIENTS[name] as Client;
  const [node, script] = io.program as [string, string];
  const words = [
    "mcp",
    ...(tools === undefined ? [] : ["--tools", tools]),
    ...given("--project", settings.project),
    ...given("--base-url", settings.baseUrl),
  ];
  const program = client.shared
    ? { command: "tool", args: words }
    : { command: node, args: [script, ...words] };
  const snippet = client.snippet(program);
  io.err.line(io.err.style.dim(`Goes into ${client.file}:`));
  const text = typeof snippet === "string" ? snippet : jsonText(snippet, 2);
  return { document: { client: name, file: client.file, ...program, snippet }, raw: `${text}\n` };
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
