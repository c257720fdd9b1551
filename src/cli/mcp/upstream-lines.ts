import { planNameOf } from "../../client/plan-names.ts";
import type { RouteOutput } from "../../client/routes.ts";
import type { Output } from "../terminal/io.ts";
import { count, relativeTime } from "../ui/format.ts";
import { table } from "../ui/table.ts";

type Shown = RouteOutput<"GET /api/v1/upstreams/{upstream}">;
type Summary = Shown["upstream"];

const STATES: Record<Summary["state"], string> = {
  up: "up",
  failing: "failing: left alone for a while",
  trying: "failing: the next request tries it",
};

const NONE = ["No MCP server is behind this one. To put one there: tool serve --mcp name=https://host/mcp"];

/** @param account the account that was asked about, if it is not one's own. */
export function listLines(items: readonly Summary[], account: string | undefined, out: Output): string[] {
  if (items.length === 0) return NONE;
  return table(
    [
      { title: "Name" },
      { title: "Address for clients" },
      { title: "State" },
      { title: `Lacking in ${account === undefined ? "your" : "its"} plan`, shrink: true },
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

/** Returns the lines about one upstream: its state, and who called which tools. */
export function upstreamLines(
  shown: Shown,
  { account, now, out }: { account: string | undefined; now: number; out: Output },
): string[] {
  return [
    ...heading(shown, { account, now, out }),
    ...toolsOf(shown, out),
    ...callersOf(shown, account, out),
  ];
}

function heading(
  { upstream, month, lastFailure }: Shown,
  { account, now, out: { style } }: Parameters<typeof upstreamLines>[1],
): string[] {
  const { title, url, state, gated } = upstream;
  const whose = account === undefined ? "yours" : "theirs";
  const gates = gated.map(
    ({ kind, pattern, gate, requiredPlan: plan, requiredPlanName: planName, allowed }) =>
      `  ${kind} ${pattern}: ${gate}${plan === undefined ? "" : `, with the plan ${planNameOf({ plan, planName })}`}${allowed ? "" : ` (not ${whose})`}`,
  );
  return [
    `${style.bold(title)}  ${url}  ${STATES[state] ?? state}`,
    ...(lastFailure ? [`It failed ${relativeTime(lastFailure.at, now)}: ${lastFailure.because}`] : []),
    ...(gates.length > 0 ? ["", style.bold("Gates"), ...gates] : []),
    "",
    style.bold(`Calls in ${month}${account === undefined ? "" : `, in all projects of ${account}`}`),
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
        { title: "95 % within", ...right },
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

function callersOf({ callers }: Shown, account: string | undefined, out: Output): string[] {
  if (callers.length === 0)
    return [`  ${count(0, "call")} of this ${account === undefined ? "project" : "account"}`];
  return table(
    [
      { title: "Tool", shrink: true },
      { title: "Key or user", shrink: true },
      { title: "Calls", align: "right" },
    ],
    callers.map(({ tool, who, name, calls }) => [tool, name ?? who, String(calls)]),
    out,
  );
}
