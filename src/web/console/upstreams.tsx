import type { ReactElement } from "react";
import type { SignedIn } from "../../accounts/sign-in/browser-sessions.ts";
import type { ToolUse, UpstreamSummary, UpstreamUse } from "../../gateway/contract.ts";
import { Command } from "../command.tsx";
import { grouped } from "../format.ts";
import type { Section } from "./frame/section.ts";

/** Returns the upstreams, each with its use of this month. */
export type UpstreamUses = (signedIn: SignedIn, projectId: string) => Promise<readonly UpstreamUse[]>;

const STATES: Record<UpstreamSummary["state"], string> = {
  up: "up",
  failing: "failing, left alone for a while",
  trying: "failing, tried with the next request",
};

export function upstreamsSection(uses: UpstreamUses): Section {
  return {
    path: "/upstreams",
    title: "MCP servers",
    group: "Project",
    wide: true,
    card: async ({ visit, projectId }) => (
      <ul className="items">
        {(await uses(visit.signedIn, projectId)).map(({ upstream, ...use }) => (
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
    needs: async ({ visit, projectId }) =>
      (await uses(visit.signedIn, projectId))
        .filter(({ upstream }) => upstream.state !== "up")
        .map(({ upstream }) => ({
          said: `The MCP server ${upstream.title} is down`,
          detail: STATES[upstream.state],
          isUrgent: true,
        })),
    page: async ({ visit, projectId }) => (
      <>
        {(await uses(visit.signedIn, projectId)).map((use) => (
          <Upstream key={use.upstream.name} use={use} projectId={projectId} />
        ))}
      </>
    ),
  };
}

function Upstream({ use, projectId }: { use: UpstreamUse; projectId: string }): ReactElement {
  const { upstream, month, tools, accounts, callers } = use;
  const lacking = upstream.gated.filter(({ allowed }) => !allowed);
  return (
    <>
      <h2>{upstream.title}</h2>
      {upstream.description !== undefined && <p>{upstream.description}</p>}
      <p className="muted">It is {STATES[upstream.state]}. Clients of MCP reach it at:</p>
      <Command>{upstream.url}</Command>
      {lacking.length > 0 && (
        <p>
          Your plan lacks:{" "}
          {lacking
            .map(({ pattern, requiredPlan }) => `${pattern} (${requiredPlan ?? "no plan"} has it)`)
            .join(", ")}
        </p>
      )}
      {tools && <ToolTable tools={tools} month={month} />}
      {accounts && accounts.length > 0 && (
        <Table
          label={`Calls by account in ${month}`}
          heads={["Account", "Calls"]}
          rows={accounts.map(({ id, name, calls }) => ({ key: id, cells: [name, grouped(calls)] }))}
        />
      )}
      <p className="muted">Of these, from project {projectId}:</p>
      {callers.length === 0 ? (
        <p className="muted">No calls in {month}.</p>
      ) : (
        <Table
          label={`Calls of the project in ${month}`}
          heads={["Tool", "Key or user", "Calls"]}
          rows={callers.map(({ tool, who, calls }) => ({
            key: `${tool} ${who}`,
            cells: [tool, who, grouped(calls)],
          }))}
        />
      )}
    </>
  );
}

function ToolTable({ tools, month }: { tools: readonly ToolUse[]; month: string }): ReactElement {
  if (tools.length === 0) return <p className="muted">Nobody called a tool in {month}.</p>;
  return (
    <Table
      label={`Calls by tool in ${month}, of all accounts`}
      heads={["Tool", "Calls", "Errors", "Failed", "Cancelled", "Refused by plan", "p95"]}
      rows={tools.map(({ tool, calls, errors, failed, cancelled, refused, p95Ms }) => ({
        key: tool,
        cells: [
          tool,
          ...[calls, errors, failed, cancelled, refused].map(grouped),
          p95Ms === null ? "" : `${grouped(p95Ms)} ms`,
        ],
      }))}
    />
  );
}

function Table(props: {
  label: string;
  heads: readonly string[];
  rows: readonly { key: string; cells: readonly string[] }[];
}): ReactElement {
  const { label, heads, rows } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it can only be scrolled by keyboard if it can have the focus
    <section className="scroll" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [first, ...others] }) => (
            <tr key={key}>
              <th scope="row">{first}</th>
              {others.map((cell, index) => (
                <td key={heads[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function callsOf({ tools, callers }: Pick<UpstreamUse, "tools" | "callers">): string {
  const total = (tools ?? callers).reduce((sum, { calls }) => sum + calls, 0);
  return total === 1 ? "1 call" : `${grouped(total)} calls`;
}
