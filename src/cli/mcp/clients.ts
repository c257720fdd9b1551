import { homedir } from "node:os";
import { join } from "node:path";
import type { Io } from "../terminal/io.ts";
import { jsonText } from "../ui/terminal-text.ts";

interface Program {
  command: string;
  args: readonly string[];
}

interface Machine extends Pick<Io, "environment" | "platform" | "workingDirectory"> {
  home: string;
}

export interface Client {
  /** Where its configuration is, as a text that follows "Goes into". */
  file: string;
  /** Returns the path of that file on a machine; project files are in the working directory. */
  pathOn: (machine: Machine) => string;
  /** Whether the file is shared in the project. It then names `tool`, otherwise the paths on this machine. */
  shared: boolean;
  /** The path of the entry in the file. Its value is text if the file is TOML. */
  path: readonly string[];
  value: (program: Program) => unknown;
}

const servers = { path: ["mcpServers", "toolplane"], value: (program: Program): unknown => program };
const CLAUDE: Client = {
  file: ".mcp.json of the project (Claude Code)",
  pathOn: ({ workingDirectory }) => join(workingDirectory, ".mcp.json"),
  shared: true,
  ...servers,
};

/** The clients, by their names for `--client`. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  claude: CLAUDE,
  "claude-code": CLAUDE,
  "claude-desktop": {
    file: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    pathOn: (machine) => join(applicationsOn(machine), "Claude", "claude_desktop_config.json"),
    shared: false,
    ...servers,
  },
  codex: {
    file: "~/.codex/config.toml",
    pathOn: ({ environment, home }) => join(environment.CODEX_HOME || join(home, ".codex"), "config.toml"),
    shared: false,
    path: ["mcp_servers", "toolplane"],
    value: toml,
  },
  cursor: {
    file: ".cursor/mcp.json of the project, or ~/.cursor/mcp.json",
    pathOn: ({ workingDirectory }) => join(workingDirectory, ".cursor", "mcp.json"),
    shared: true,
    ...servers,
  },
  gemini: {
    file: "~/.gemini/settings.json",
    pathOn: ({ home }) => join(home, ".gemini", "settings.json"),
    shared: false,
    ...servers,
  },
  vscode: {
    file: ".vscode/mcp.json of the project",
    pathOn: ({ workingDirectory }) => join(workingDirectory, ".vscode", "mcp.json"),
    shared: true,
    path: ["servers", "toolplane"],
    value: (program) => ({ type: "stdio", ...program }),
  },
  windsurf: {
    file: "~/.codeium/windsurf/mcp_config.json",
    pathOn: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
    shared: false,
    ...servers,
  },
  zed: {
    file: "~/.config/zed/settings.json",
    pathOn(machine) {
      if (machine.platform === "darwin") return join(machine.home, ".config", "zed", "settings.json");
      const folder = machine.platform === "win32" ? "Zed" : "zed";
      return join(applicationsOn(machine), folder, "settings.json");
    },
    shared: false,
    path: ["context_servers", "toolplane"],
    value: (program) => ({ source: "custom", ...program, env: {} }),
  },
};

/** Returns the path of a client's configuration file on this machine. */
export function fileOf(client: string, machine: Omit<Machine, "home">, home = homedir()): string {
  const { environment, platform, workingDirectory } = machine;
  return (CLIENTS[client] as Client).pathOn({ environment, platform, workingDirectory, home });
}

/** Returns the directory of applications' settings, by the platform's conventions. */
function applicationsOn({ environment, platform, home }: Machine): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return environment.APPDATA || join(home, "AppData", "Roaming");
  return environment.XDG_CONFIG_HOME || join(home, ".config");
}

/** Returns the entry as TOML. JSON strings and arrays of strings are valid TOML (TOML 1.0, basic strings). */
function toml({ command, args }: Program): string {
  return [
    "[mcp_servers.toolplane]",
    `command = ${jsonText(command)}`,
    `args = [${args.map((word) => jsonText(word)).join(", ")}]`,
  ].join("\n");
}
