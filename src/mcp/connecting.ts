/** A server as presented to clients. */
export interface Connectable {
  /** Its name in configurations: a to z, 0 to 9 and -. */
  name: string;
  title: string;
  description?: string | undefined;
  /** Its MCP endpoint, over streamable HTTP. */
  url: string;
}

/** How to add a server to one client: a link that opens it, a command, or a text for a file or form. */
export interface Connection {
  client: string;
  how: "link" | "command" | "text";
  /** Where to put a text. */
  where?: string;
  value: string;
}

/** Returns the connections for the most common clients. Each discovers by itself how to sign in (RFC 9728). */
export function connectionsTo({ name, url }: Pick<Connectable, "name" | "url">): Connection[] {
  const config = Buffer.from(JSON.stringify({ url })).toString("base64");
  const cursor = new URLSearchParams({ name, config });
  const code = encodeURIComponent(JSON.stringify({ name, type: "http", url }));
  const servers = { mcpServers: { [name]: { type: "http", url } } };
  return [
    { client: "Claude Code", how: "command", value: `claude mcp add --transport http ${name} ${url}` },
    {
      client: "Claude, ChatGPT",
      how: "text",
      where: "Settings, Connectors, Add custom connector",
      value: url,
    },
    { client: "Codex", how: "command", value: `codex mcp add ${name} --url ${url}` },
    { client: "Cursor", how: "link", value: `cursor://anysphere.cursor-deeplink/mcp/install?${cursor}` },
    { client: "Gemini CLI", how: "command", value: `gemini mcp add --transport http ${name} ${url}` },
    { client: "VS Code", how: "link", value: `vscode:mcp/install?${code}` },
    {
      client: "Others",
      how: "text",
      where: "mcp.json, or what the client calls it",
      value: JSON.stringify(servers, null, 2),
    },
  ];
}
