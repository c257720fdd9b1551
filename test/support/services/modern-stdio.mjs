// An MCP server of the official SDK 2.x on stdin and stdout, which speaks both the older and the newer protocol.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  server.registerTool(
    "add-note",
    { description: "Save a note", inputSchema: z.object({ text: z.string() }) },
    ({ text }) => ({
      content: [{ type: "text", text: `Saved: ${text}` }],
    }),
  );
  server.registerTool("who", { description: "Whom the call is for" }, ({ mcpReq }) => ({
    content: [{ type: "text", text: String(mcpReq?._meta?.["toolplane/identity"]) }],
  }));
  server.registerTool("end", { description: "End the process" }, () => process.exit(3));
  return server;
});
console.error("notes are ready");
