import type { ReactElement } from "react";
import type { SignedIn } from "../../accounts/sign-in/sessions/signed-in.ts";
import type { ToolUse, UpstreamSummary, UpstreamUse } from "../../gateway/contract.ts";
import { count } from "../../text/amounts.ts";
import { grouped } from "../../text/grouped.ts";
import { Command } from "../command.tsx";
import { Ago } from "../time.tsx";
import { oncePerView } from "./frame/once-per-view.ts";
import type { Section, View } from "./frame/section.ts";
import { Table } from "./frame/table.tsx";

/** Returns the upstreams, each with its use of this month. */
export type UpstreamUses = (signedIn: SignedIn, projectId: string) => Promise<readonly UpstreamUse[]>;

const STATES: Record<UpstreamSummary["state"], string> = {
  up: "up",
  failing: "failing, left alone for a while",
  trying: "failing, tried with the next request",
};

const PATH = "/upstreams";

export function upstreamsSection(usesOf: UpstreamUses): Section {
  const uses = oncePerView(({ visit, projectId }) => usesOf(visit.signedIn, projectId));
  return {
    path: PATH,
    title: "MCP servers",
    group: "Project",
    wide: true,
    card: async (view) => (
      <ul className="items">
        {(await uses(view)).map(({ upstream, ...use }) => (
          <li key={upstream.name}>
            <p className="row">
              <strong>{upstream.title}</strong>
              <span className="small muted">
                {STATES[upstream.state]} · {callsOf(use)} this month
              </span>
            </p>
          </li>
        ))}
      </ul>
    ),
    needs: async (view) =>
      (await uses(view))
        .filter(({ upstream }) => upstream.state !== "up")
        .map(({ upstream }) => ({
          said: `The MCP server ${upstream.title} is down`,
          detail: STATES[upstream.state],
          isUrgent: true,
        })),
    page: async (view) => (
      <>
        {(await uses(view)).map((use) => (
          <Upstream key={use.upstream.name} view={view} use={use} />
        ))}
      </>
    ),
  };
}

function Upstream({ view, use }: { view: View; use: UpstreamUse }): ReactElement {
  const { upstream, month, tools, accounts, callers, lastFailure } = use;
  const lacking = upstream.gated.filter(({ allowed }) => !allowed);
  return (
    <>
      <h2>{upstream.title}</h2>
      {upstream.description !== undefined && <p>{upstream.description}</p>}
      <p className="muted">It is {STATES[upstream.state]}. Clients of MCP reach it at:</p>
      <Command>{upstream.url}</Command>
      {lastFailure && (
        <p>
          It failed <Ago at={Date.parse(lastFailure.at)} now={view.now} />: {lastFailure.because}
        </p>
      )}
      {lacking.length > 0 && (
        <p>
          Your plan lacks:{" "}
          {lacking
            .map(({ pattern, requiredPlanName = "no plan" }) => `${pattern} (${requiredPlanName} has it)`)
            .join(", ")}
        </p>
      )}
      {tools && <ToolTable view={view} tools={tools} month={month} />}
      {accounts && accounts.length > 0 && (
        <Table
          view={view}
          path={PATH}
          label={`Calls by account in ${month}`}
          rows={accounts}
          keyOf={({ id }) => id}
          columns={[
            { title: "Account", cell: ({ name }) => name },
            { title: "Calls", isFigure: true, cell: ({ calls }) => grouped(calls) },
          ]}
        />
      )}
      <p className="muted">Of these, from project {view.projectId}:</p>
      {callers.length === 0 ? (
        <p className="muted">No calls in {month}.</p>
      ) : (
        <Table
          view={view}
          path={PATH}
          label={`Calls of the project in ${month}`}
          rows={callers}
          keyOf={({ tool, who }) => `${tool} ${who}`}
          columns={[
            { title: "Tool", cell: ({ tool }) => tool },
            { title: "Key or user", cell: ({ who, name }) => name ?? who },
            { title: "Calls", isFigure: true, cell: ({ calls }) => grouped(calls) },
          ]}
        />
      )}
    </>
  );
}

function ToolTable(props: { view: View; tools: readonly ToolUse[]; month: string }): ReactElement {
  const { view, tools, month } = props;
  if (tools.length === 0) return <p className="muted">Nobody called a tool in {month}.</p>;
  return (
    <Table
      view={view}
      path={PATH}
      label={`Calls by tool in ${month}, of all accounts`}
      rows={tools}
      keyOf={({ tool }) => tool}
      columns={[
        { title: "Tool", cell: ({ tool }) => tool },
        { title: "Calls", isFigure: true, cell: ({ calls }) => grouped(calls) },
        { title: "Errors", isFigure: true, cell: ({ errors }) => grouped(errors) },
        { title: "Failed", isFigure: true, cell: ({ failed }) => grouped(failed) },
        { title: "Cancelled", isFigure: true, cell: ({ cancelled }) => grouped(cancelled) },
        { title: "Refused by plan", isFigure: true, cell: ({ refused }) => grouped(refused) },
        {
          title: "95 % within",
          isFigure: true,
          cell: ({ p95Ms }) => (p95Ms === null ? "" : `${grouped(p95Ms)} ms`),
        },
      ]}
    />
  );
}

function callsOf({ tools, callers }: Pick<UpstreamUse, "tools" | "callers">): string {
  const total = (tools ?? callers).reduce((sum, { calls }) => sum + calls, 0);
  return count(total, "call");
}
