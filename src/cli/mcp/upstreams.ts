import type { RouteOutput } from "../../client/routes.ts";
import { defined } from "../../system/defined.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import type { Output } from "../terminal/io.ts";
import { count } from "../ui/format.ts";
import { table } from "../ui/table.ts";

type Shown = RouteOutput<"GET /api/v1/upstreams/{upstream}">;
type Summary = Shown["upstream"];

const STATES: Record<Summary["state"], string> = {
  up: "up",
  failing: "failing: left alone for a while",
  trying: "failing: the next request tries it",
};

/** `tool mcp upstreams`: the MCP servers behind this one, or the use of one of them. */
export async function upstreams(
  { client, io }: Context,
  name: string | undefined,
  { month }: { month?: string },
): Promise<Outcome> {
  if (name === undefined) {
    const list = await client.call("GET /api/v1/upstreams", {});
    return { document: list, lines: list.items.length === 0 ? NONE : listed(list.items, io.out) };
  }
  const shown = await client.call("GET /api/v1/upstreams/{upstream}", {
    upstream: name,
    ...defined({ month }),
  });
  return {
    document: shown,
    lines: [...heading(shown, io.out), ...toolsOf(shown, io.out), ...callersOf(shown, io.out)],
  };
}

const NONE = ["No MCP server is behind this one. To put one there: tool serve --mcp name=https://host/mcp"];

function listed(items: readonly Summary[], out: Output): string[] {
  return table(
    [
      { title: "Name" },
      { title: "Address for clients" },
      { title: "State" },
      { title: "Lacking in your plan", shrink: true },
    ],
    items.map(({ name, url, state, gated }) => [
      name,
      url,
      STATES[state] ?? state,
      gated
        .filter(({ allowed }) => !allowed)
        .map(({ pattern }) => pattern)
        .join(", ") || "nothing",
    ]),
    out,
  );
}

function heading({ upstream, month }: Shown, { style }: Output): string[] {
  const { title, url, state, gated } = upstream;
  const gates = gated.map(
    ({ kind, pattern, gate, requiredPlan, allowed }) =>
      `  ${kind} ${pattern}: ${gate}${requiredPlan === undefined ? "" : `, with the plan ${requiredPlan}`}${allowed ? "" : " (not yours)"}`,
  );
  return [
    `${style.bold(title)}  ${url}  ${STATES[state] ?? state}`,
    ...(gates.length > 0 ? ["", style.bold("Gates"), ...gates] : []),
    "",
    style.bold(`Calls in ${month}`),
  ];
}

function toolsOf({ tools, accounts }: Shown, out: Output): string[] {
  if (!tools || !accounts) return [];
  if (tools.length === 0) return ["  none"];
  const right = { align: "right" } as const;
  return [
    ...table(
      [
        { title: "Tool", shrink: true },
        { title: "Calls", ...right },
        { title: "Errors", ...right },
        { title: "Failed", ...right },
        { title: "Cancelled", ...right, minor: true },
        { title: "Refused", ...right },
        { title: "p95", ...right },
      ],
      tools.map(({ tool, calls, errors, failed, cancelled, refused, p95Ms }) => [
        tool,
        String(calls),
        String(errors),
        String(failed),
        String(cancelled),
        String(refused),
        p95Ms === null ? "" : `${p95Ms} ms`,
      ]),
      out,
    ),
    "",
    out.style.bold("By account"),
    ...table(
      [
        { title: "Account", shrink: true },
        { title: "Calls", ...right },
      ],
      accounts.map(({ name, calls }) => [name, String(calls)]),
      out,
    ),
    "",
    out.style.bold("In this project"),
  ];
}

function callersOf({ callers }: Shown, out: Output): string[] {
  if (callers.length === 0) return [`  ${count(0, "call")} of this project`];
  return table(
    [
      { title: "Tool", shrink: true },
      { title: "Key or user", shrink: true },
      { title: "Calls", align: "right" },
    ],
    callers.map(({ tool, who, calls }) => [tool, who, String(calls)]),
    out,
  );
}
