import type { ReactElement } from "react";
import { type Connectable, type Connection, connectionsTo } from "../../mcp/connecting.ts";
import { consoleScript } from "../assets.ts";
import { Command } from "../command.tsx";
import { Page } from "../layout.tsx";

/** Shows what an upstream is and how to connect each client to it. The script adds buttons that copy. */
export function ConnectPage({ server }: { server: Connectable }): ReactElement {
  const { title, description } = server;
  return (
    <Page title={title} width="medium" script={consoleScript}>
      <div className="card stack">
        <h1>Connect to {title}</h1>
        {description !== undefined && <p>{description}</p>}
        <p className="muted">
          An MCP server for your agent or editor. It opens this site once, for you to sign in and to allow it.
        </p>
        {connectionsTo(server).map((connection) => (
          <Client key={connection.client} connection={connection} />
        ))}
      </div>
    </Page>
  );
}

function Client({ connection: { client, how, where, value } }: { connection: Connection }): ReactElement {
  if (how === "link") {
    return (
      <>
        <h2>{client}</h2>
        <a className="button" href={value}>
          Add to {client}
        </a>
      </>
    );
  }
  return (
    <>
      <h2>{client}</h2>
      {where !== undefined && <p className="small muted">{where}:</p>}
      <Command>{value}</Command>
    </>
  );
}
