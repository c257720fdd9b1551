import { type Connectable, connectionsTo } from "../../mcp/connecting.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { jsonText } from "../ui/terminal-text.ts";

export interface PublishOptions {
  name?: string;
  release: string;
  clientId?: string;
}

/** The only schema that the MCP Registry accepts (docs/registry of the specification). */
const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const MAX_LENGTH = 100;

/**
 * Prints how to publish an upstream (`tool mcp publish`): `server.json` of the MCP Registry, configurations
 * and links for clients, or the client metadata document of a vendor's own command line.
 */
export async function publish(context: Context, upstream: string, options: PublishOptions): Promise<Outcome> {
  const { client, io, progress } = context;
  const { upstream: shown } = await client.call("GET /api/v1/upstreams/{upstream}", { upstream });
  const page = `${client.baseUrl}/connect/${upstream}`;
  if (options.clientId !== undefined) return clientDocument(shown, options.clientId);
  if (options.name === undefined) {
    const { style } = io.out;
    const lines = connectionsTo(shown).flatMap(({ client: name, where, value }) => [
      style.bold(name) + (where === undefined ? "" : style.dim(`  ${where}`)),
      ...value.split("\n").map((line) => `  ${line}`),
    ]);
    return {
      document: { url: shown.url, page, clients: connectionsTo(shown) },
      lines: [`${style.bold("For people")}  ${page}`, ...lines],
    };
  }
  const server = serverDocument(shown, { name: options.name, version: options.release, page });
  if (!shown.url.startsWith("https://")) {
    progress.note(`The registry takes servers that everybody reaches over https, not ${shown.url}.`);
  }
  return { document: server, raw: `${jsonText(server, 2)}\n` };
}

function serverDocument(
  { name: upstream, title, description, url }: Connectable,
  { name, version, page }: { name: string; version: string; page: string },
) {
  if (!NAME.test(name) || name.length < 3 || name.length > 200) {
    throw new UsageError(
      `"${name}" is no name of the registry.`,
      `It is a domain of yours backwards: --name com.example/${upstream}.`,
    );
  }
  const text = description ?? `${title}, over the Model Context Protocol`;
  return {
    $schema: SCHEMA,
    name,
    title: title.slice(0, MAX_LENGTH),
    description: text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`,
    version,
    websiteUrl: page,
    remotes: [{ type: "streamable-http", url }],
  };
}

/** Returns the client metadata document that a vendor publishes at `clientId` (Client ID Metadata Documents). */
function clientDocument({ title }: Connectable, clientId: string): Outcome {
  const url = URL.canParse(clientId) ? new URL(clientId) : undefined;
  if (url?.protocol !== "https:" || url.pathname === "/" || url.hash !== "") {
    throw new UsageError(
      "--client-id is the https address, with a path, where the document will be.",
      "As in --client-id https://example.com/cli.json.",
    );
  }
  const document = {
    client_id: clientId,
    client_name: title,
    client_uri: url.origin,
    redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  return { document, raw: `${jsonText(document, 2)}\n` };
}
