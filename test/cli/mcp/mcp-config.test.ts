import { describe, expect, it } from "vitest";
import { CLIENTS } from "../../../src/cli/mcp/clients.ts";
import { OWNER_KEY } from "../../support/app.ts";
import { ownerOf } from "../support/owner.ts";
import { user } from "../support/tool.ts";

describe("tool mcp config", () => {
  it("prints the exact content of a project's file, and the file's name on stderr", async () => {
    const { tool } = user();
    const { code, stdout, stderr } = await tool("mcp", "config");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ mcpServers: { toolplane: { command: "tool", args: ["mcp"] } } });
    expect(stderr).toContain(".mcp.json");
  });

  it("names the absolute path of the program for editors without the shell's PATH", async () => {
    const { tool } = user();
    const { stdout } = await tool("mcp", "config", "--client", "claude-desktop");
    const { command, args } = JSON.parse(stdout).mcpServers.toolplane;
    expect(command).toBe(process.execPath);
    expect(args).toEqual([expect.stringMatching(/bin\/tool\.js$/), "mcp"]);
  });

  it("prints the format of each editor", async () => {
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
    "prints no secret for %s, but passes on the base URL of the environment",
    async (client) => {
      const { tool } = ownerOf({ url: "https://plane.example" });
      const { stdout, stderr, code } = await tool("mcp", "config", "--client", client, "--json");
      expect(code).toBe(0);
      expect(stdout + stderr).not.toContain(OWNER_KEY);
      expect(JSON.parse(stdout).args.slice(-2)).toEqual(["--base-url", "https://plane.example"]);
    },
  );

  it("lists the known editors when asked for an unknown one", async () => {
    const { tool } = user();
    const { code, stderr } = await tool("mcp", "config", "--client", "emacs");
    expect(code).toBe(2);
    expect(stderr).toContain("cursor");
  });
});
