import { describe, expect, it } from "vitest";
import { CLIENTS } from "../../../src/cli/mcp/config.ts";
import { OWNER_KEY } from "../../support/app.ts";
import { user } from "../support/tool.ts";

describe("tool mcp config", () => {
  it("prints what a project's file needs, to the letter, and on stderr where it goes", async () => {
    const { tool } = user();
    const { code, stdout, stderr } = await tool("mcp", "config");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ mcpServers: { toolplane: { command: "tool", args: ["mcp"] } } });
    expect(stderr).toContain(".mcp.json");
  });

  it("names the very program for editors that do not know this shell's PATH", async () => {
    const { tool } = user();
    const { stdout } = await tool("mcp", "config", "--client", "claude-desktop");
    const { command, args } = JSON.parse(stdout).mcpServers.toolplane;
    expect(command).toBe(process.execPath);
    expect(args).toEqual([expect.stringMatching(/bin\/tool\.js$/), "mcp"]);
  });

  it("speaks each editor's form", async () => {
    const { tool } = user();
    const vscode = await tool("mcp", "config", "--client", "vscode", "--tools", "all");
    expect(JSON.parse(vscode.stdout)).toEqual({
      servers: { toolplane: { type: "stdio", command: "tool", args: ["mcp", "--tools", "all"] } },
    });
    const codex = await tool("mcp", "config", "--client", "codex", "--project", 'we"b');
    expect(codex.stdout).toMatch(
      /^\[mcp_servers\.toolplane\]\ncommand = ".+"\nargs = \[.*"--project", "we\\"b"\]\n$/,
    );
    const zed = await tool("mcp", "config", "--client", "zed");
    expect(JSON.parse(zed.stdout)).toHaveProperty("context_servers.toolplane.command");
  });

  it.each(Object.keys(CLIENTS))(
    "holds no secret for %s, and what only this shell knows besides",
    async (client) => {
      const { tool } = user({ TOOL_TOKEN: OWNER_KEY, TOOL_BASE_URL: "https://plane.example" });
      const { stdout, stderr, code } = await tool("mcp", "config", "--client", client, "--json");
      expect(code).toBe(0);
      expect(stdout + stderr).not.toContain(OWNER_KEY);
      expect(JSON.parse(stdout).args.slice(-2)).toEqual(["--base-url", "https://plane.example"]);
    },
  );

  it("names the editors that it knows where another is asked for", async () => {
    const { tool } = user();
    const { code, stderr } = await tool("mcp", "config", "--client", "emacs");
    expect(code).toBe(2);
    expect(stderr).toContain("cursor");
  });
});
