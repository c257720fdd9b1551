import type { ReactElement, ReactNode } from "react";
import { AuditQuestion } from "../../audit/contract.ts";
import type { AuditFormat, ExportAuditLog } from "../../audit/export.ts";
import type { AuditAccess } from "../../audit/handlers.ts";
import type { AuditFilter, AuditLog } from "../../audit/log.ts";
import type { AuditEntry } from "../../audit/model.ts";
import { allows } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { iso } from "../../system/clock.ts";
import { Ago } from "../time.tsx";
import { addressOf as consoleAddress } from "./frame/address.ts";
import type { Section, View } from "./frame/section.ts";

const ON_CARD = 3;
const ON_PAGE = 50;

const FILES: Record<string, { type: AuditFormat; ends: string }> = {
  csv: { type: "text/csv", ends: "csv" },
  jsonl: { type: "application/jsonl", ends: "jsonl" },
};

/** Who changed what: for an account's admins where its plan has the gate, and for the operator. */
export function auditSection(parts: {
  log: AuditLog;
  exported: ExportAuditLog;
  access: AuditAccess;
}): Section {
  const { log, exported, access } = parts;
  const whoseOf = (view: View) => access(view.visit.by, textIn(view, "of"));

  /** What is shown to whoever may not see it, instead of a page that failed. */
  async function orWhyNot(show: () => Promise<ReactNode>): Promise<ReactNode> {
    try {
      return await show();
    } catch (error) {
      const refused = error instanceof Problem && ["forbidden", "insufficient_scope"].includes(error.error);
      if (refused) return <p className="muted">{error.detail}</p>;
      throw error;
    }
  }

  return {
    path: "/audit",
    title: "Audit log",
    group: "Account",
    wide: true,
    card: (view) =>
      orWhyNot(async () => {
        const whose = await access(view.visit.by, undefined);
        const { items } = await log.page(whose, {}, { limit: ON_CARD });
        return <Entries list={items} now={view.now} />;
      }),
    page: (view) =>
      orWhyNot(async () => {
        const whose = await whoseOf(view);
        const filter = filterOf(view);
        const cursor = textIn(view, "after");
        const { items, nextCursor } = await log.page(whose, filter, { limit: ON_PAGE, cursor });
        return (
          <>
            <Search view={view} />
            {items.length > 0 ? (
              <Entries list={items} now={view.now} view={view} />
            ) : (
              <p className="muted">{nextCursor === undefined ? "Nothing." : "Nothing so far."}</p>
            )}
            {nextCursor !== undefined && (
              <a className="target" href={addressOf(view, { after: nextCursor })}>
                {items.length < ON_PAGE ? "Search on" : "Older"}
              </a>
            )}
            <p className="small muted">
              Kept for 400 days. Take along what is asked for above as <a href={exportOf(view, "csv")}>CSV</a>{" "}
              or <a href={exportOf(view, "jsonl")}>JSON lines</a>.
            </p>
          </>
        );
      }),
    async download(view) {
      const file = FILES[textIn(view, "format") ?? "csv"];
      if (!file) throw new Problem("invalid_request", "There is no such format.");
      const whose = await whoseOf(view);
      return {
        name: `audit-${iso(view.now).slice(0, 10)}.${file.ends}`,
        type: file.type,
        body: exported(view.visit.by.accountId, whose, filterOf(view), file.type),
      };
    },
  };
}

function Search({ view }: { view: View }): ReactElement {
  const isOperator = allows(view.visit.signedIn.scopes, "operator");
  return (
    <form method="get" action="/audit" className="inline">
      <label htmlFor="query">Search</label>
      <input id="query" name="query" type="search" maxLength={254} defaultValue={textIn(view, "query")} />
      <label htmlFor="action">Action</label>
      <input
        id="action"
        name="action"
        maxLength={64}
        placeholder="key.created"
        defaultValue={textIn(view, "action")}
      />
      <label htmlFor="outcome">Outcome</label>
      <select id="outcome" name="outcome" defaultValue={textIn(view, "outcome") ?? ""}>
        <option value="">any</option>
        <option>done</option>
        <option>refused</option>
      </select>
      <label htmlFor="since">From</label>
      <input id="since" name="since" type="date" defaultValue={textIn(view, "since")} />
      <label htmlFor="until">Before</label>
      <input id="until" name="until" type="date" defaultValue={textIn(view, "until")} />
      {isOperator && (
        <>
          <label htmlFor="of">Log</label>
          <input
            id="of"
            name="of"
            maxLength={256}
            placeholder="an account's id, instance or all"
            defaultValue={textIn(view, "of")}
          />
        </>
      )}
      {(["actor", "target"] as const).map((name) => {
        const value = textIn(view, name);
        return value && <input key={name} type="hidden" name={name} value={value} />;
      })}
      <button type="submit">Search</button>
      <a className="target" href="/audit">
        All
      </a>
    </form>
  );
}

function Entries(props: { list: readonly AuditEntry[]; now: number; view?: View }): ReactElement {
  const { list, now, view } = props;
  if (list.length === 0) return <p className="muted">Nothing yet.</p>;
  return (
    <ul className="items">
      {list.map((entry) => (
        <li key={entry.id}>
          <p className="row">
            <span>
              <strong>{entry.action}</strong>
              {entry.outcome === "refused" && " · refused"} ·{" "}
              <Narrow view={view} name="target" id={entry.target.id}>
                {entry.target.name ?? entry.target.id}
              </Narrow>
            </span>
            <span className="small muted">
              <Ago at={entry.at} now={now} />
            </span>
          </p>
          <p className="small muted">
            by <Actor entry={entry} view={view} />
            {entry.actor.address !== "" && ` from ${entry.actor.address}`}
            {view && entry.actor.requestId !== "" && ` · ${entry.actor.requestId}`}
          </p>
          {view && <Change entry={entry} />}
        </li>
      ))}
    </ul>
  );
}

function Actor({ entry, view }: { entry: AuditEntry; view: View | undefined }): ReactElement {
  const { userId, name, credential, requestId } = entry.actor;
  if (userId === undefined) return <>{requestId === "" ? "the server" : "nobody signed in"}</>;
  return (
    <>
      <Narrow view={view} name="actor" id={userId}>
        {name ?? userId}
      </Narrow>
      {credential?.kind === "api_key" && ` with ${credential.id}`}
    </>
  );
}

/** A name that leads to what else was done by or to them. */
function Narrow(props: {
  view: View | undefined;
  name: "actor" | "target";
  id: string;
  children: string;
}): ReactNode {
  const { view, name, id, children } = props;
  if (!view) return children;
  return <a href={addressOf(view, { [name]: id })}>{children}</a>;
}

function Change({ entry: { before = {}, after = {} } }: { entry: AuditEntry }): ReactElement | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (names.length === 0) return null;
  return (
    <p className="small">
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          {name} <code>{name in before ? textOf(before[name]) : "–"}</code> →{" "}
          <code>{name in after ? textOf(after[name]) : "–"}</code>
        </span>
      ))}
    </p>
  );
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** What of the address can be asked; the rest is left out, so that an address typed wrong still shows the log. */
function filterOf(view: View): AuditFilter {
  const valid = <Name extends keyof typeof AuditQuestion>(name: Name) => {
    const parsed = AuditQuestion[name].safeParse(textIn(view, name));
    return parsed.success ? (parsed.data as string | undefined) : undefined;
  };
  const time = (name: "since" | "until") => {
    const at = Date.parse(textIn(view, name) ?? "");
    return Number.isNaN(at) ? undefined : at;
  };
  return {
    action: valid("action"),
    actor: valid("actor"),
    target: valid("target"),
    outcome: valid("outcome") as AuditFilter["outcome"],
    since: time("since"),
    until: time("until"),
    query: valid("query"),
  };
}

function textIn({ query }: View, name: string): string | undefined {
  return query.get(name)?.trim() || undefined;
}

const ASKED = ["query", "action", "outcome", "since", "until", "of", "actor", "target"];

function addressOf(view: View, changed: Record<string, string>, path = "/audit"): string {
  const asked = Object.fromEntries(ASKED.map((name) => [name, textIn(view, name)]));
  return consoleAddress(view, path, { ...asked, ...changed });
}

function exportOf(view: View, format: string): string {
  return addressOf(view, { format }, "/audit/export");
}
