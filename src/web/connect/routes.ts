import { Problem } from "../../contract/problem.ts";
import type { Connectable } from "../../mcp/connecting.ts";
import { page } from "../page.ts";
import { ALLOW_SCRIPT } from "../page-headers.ts";
import type { ServePage } from "../serve-page.ts";
import { ConnectPage } from "./pages.tsx";

/** Adds `/connect/<name>`, for anyone. */
export function connectRoutes({
  serve,
  connectable,
}: {
  serve: ServePage;
  /** Returns the upstream of a name, if there is one. */
  connectable: (name: string) => Connectable | undefined;
}): void {
  serve("/connect/:name", {
    get({ parameters: { name = "" } }) {
      const server = connectable(name);
      if (!server) throw new Problem("not_found", `There is no MCP server "${name.slice(0, 64)}" here.`);
      return page(200, ConnectPage({ server }), ALLOW_SCRIPT);
    },
  });
}
