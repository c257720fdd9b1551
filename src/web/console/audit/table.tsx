import type { ReactElement, ReactNode } from "react";
import type { AuditEntry } from "../../../audit/model.ts";
import { iso } from "../../../system/clock.ts";
import { Ago } from "../../time.tsx";
import { sameAddress } from "../frame/address.ts";
import type { View } from "../frame/section.ts";
import { Table } from "../frame/table.tsx";
import { PATH } from "./question.ts";

/** Lists entries, newest first. A click on an actor, action or target filters the log by it. */
export function AuditTable({ list, view }: { list: readonly AuditEntry[]; view: View }): ReactElement {
  return (
    <Table
      view={view}
      path={PATH}
      label="Audit log"
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "What",
          cell: ({ action, outcome, at }) => (
            <>
              <Narrow view={view} name="action" id={action}>
                {action}
              </Narrow>
              <span className="block small muted">
                <Ago at={at} now={view.now} />
                {outcome === "refused" && <span className="refused"> refused</span>}
              </span>
            </>
          ),
        },
        {
          title: "To",
          isName: true,
          cell: ({ target }) => (
            <Narrow view={view} name="target" id={target.id}>
              {target.name ?? target.id}
            </Narrow>
          ),
        },
        {
          title: "By",
          isName: true,
          cell: (entry) => (
            <>
              <span className="block">
                <Actor entry={entry} view={view} />
              </span>
              <Origin actor={entry.actor} view={view} />
            </>
          ),
        },
        { title: "Changed", isProse: true, cell: (entry) => <Change entry={entry} /> },
      ]}
    />
  );
}

/** Lists the newest entries, without links. */
export function Latest({ list, now }: { list: readonly AuditEntry[]; now: number }): ReactElement {
  if (list.length === 0) return <p className="muted">Nothing yet.</p>;
  return (
    <ul className="items">
      {list.map((entry) => (
        <li key={entry.id}>
          <p className="row">
            <strong>{entry.action}</strong>
            <span className="small muted">
              <Ago at={entry.at} now={now} />
            </span>
          </p>
          <p className="small muted">
            {entry.outcome === "refused" && "refused · "}
            {entry.target.name ?? entry.target.id}
            {entry.actor.userId !== entry.target.id && (
              <>
                {" · by "}
                <Actor entry={entry} />
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Actor({ entry, view }: { entry: AuditEntry; view?: View }): ReactElement {
  const { userId, name, requestId } = entry.actor;
  if (userId === undefined) return <>{requestId === "" ? "the server" : "nobody signed in"}</>;
  return (
    <Narrow view={view} name="actor" id={userId}>
      {name ?? userId}
    </Narrow>
  );
}

/** Shows from where and with which key. The end of the request's id links to everything that the request did. */
function Origin({ actor, view }: { actor: AuditEntry["actor"]; view: View }): ReactElement {
  const { address, credential, requestId } = actor;
  return (
    <span className="small muted">
      {credential?.kind === "api_key" && <span className="block">with {credential.id}</span>}
      {address && `from ${address} `}
      {requestId && (
        <a
          className="nowrap"
          href={sameAddress(view, PATH, { query: requestId, after: undefined })}
          title={requestId}
        >
          <span className="unseen">request </span>…{requestId.slice(-6)}
        </a>
      )}
    </span>
  );
}

/** Shows a name that links to the other entries with the same actor, action or target. */
function Narrow(props: {
  view: View | undefined;
  name: "actor" | "target" | "action";
  id: string;
  children: string;
}): ReactNode {
  const { view, name, id, children } = props;
  if (!view) return children;
  return <a href={sameAddress(view, PATH, { [name]: id, after: undefined })}>{children}</a>;
}

function Change({ entry: { before = {}, after = {} } }: { entry: AuditEntry }): ReactElement {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <>
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          {name} {name in before && <code>{textOf(name, before[name])}</code>}
          {name in before && " → "}
          {name in after ? <code>{textOf(name, after[name])}</code> : "none"}
        </span>
      ))}
    </>
  );
}

function textOf(name: string, value: unknown): string {
  const text = written(name, value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function written(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" && name.endsWith("At"))
    return `${iso(value).slice(0, 16).replace("T", " ")} UTC`;
  if (Array.isArray(value) && value.every((each) => typeof each === "string"))
    return value.join(" ") || "none";
  return JSON.stringify(value);
}
