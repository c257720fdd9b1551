import { homedir } from "node:os";
import { join } from "node:path";
import type { Io } from "../terminal/io.ts";

/** Returns the path of a client's configuration file on this machine; project files are in the working directory. */
export function fileOf(
  client: string,
  { environment, platform, workingDirectory }: Pick<Io, "environment" | "platform" | "workingDirectory">,
  home = homedir(),
): string {
  const windows = environment.APPDATA || join(home, "AppData", "Roaming");
  const linux = environment.XDG_CONFIG_HOME || join(home, ".config");
  switch (client) {
    case "claude-desktop": {
      const name = "claude_desktop_config.json";
      if (platform === "darwin") return join(home, "Library", "Application Support", "Claude", name);
      return join(platform === "win32" ? windows : linux, "Claude", name);
    }
    case "codex":
      return join(environment.CODEX_HOME || join(home, ".codex"), "config.toml");
    case "cursor":
      return join(workingDirectory, ".cursor", "mcp.json");
    case "gemini":
      return join(home, ".gemini", "settings.json");
    case "vscode":
      return join(workingDirectory, ".vscode", "mcp.json");
    case "windsurf":
      return join(home, ".codeium", "windsurf", "mcp_config.json");
    case "zed":
      if (platform === "win32") return join(windows, "Zed", "settings.json");
      return join(platform === "darwin" ? join(home, ".config") : linux, "zed", "settings.json");
    default:
      return join(workingDirectory, ".mcp.json");
  }
}
