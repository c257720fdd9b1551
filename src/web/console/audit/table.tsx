import type { ReactElement, ReactNode } from "react";
import type { AuditEntry } from "../../../audit/model.ts";
import { Ago } from "../../time.tsx";
import { sameAddress } from "../frame/address.ts";
import type { View } from "../frame/section.ts";
import { Table } from "../frame/table.tsx";
import { PATH } from "./question.ts";

/** The newest first. A press on who, what or whom narrows the log to that. */
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
          cell: ({ action, outcome }) => (
            <>
              <Narrow view={view} name="action" id={action}>
                {action}
              </Narrow>
              {outcome === "refused" && <span className="refused"> refused</span>}
            </>
          ),
        },
        {
          title: "To",
          cell: ({ target }) => (
            <Narrow view={view} name="target" id={target.id}>
              {target.name ?? target.id}
            </Narrow>
          ),
        },
        { title: "By", cell: (entry) => <Actor entry={entry} view={view} /> },
        { title: "When", cell: ({ at }) => <Ago at={at} now={view.now} /> },
        { title: "Changed", isProse: true, cell: (entry) => <Change entry={entry} /> },
        { title: "From", cell: ({ actor }) => actor.address },
        { title: "Request", cell: ({ actor }) => actor.requestId && <code>{actor.requestId}</code> },
      ]}
    />
  );
}

/** The newest few, to read. */
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
            {entry.target.name ?? entry.target.id} · by <Actor entry={entry} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function Actor({ entry, view }: { entry: AuditEntry; view?: View }): ReactElement {
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

/** A name that leads to what else was done so, by them or to them. */
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
          {name} <code>{name in before ? textOf(before[name]) : "–"}</code> →{" "}
          <code>{name in after ? textOf(after[name]) : "–"}</code>
        </span>
      ))}
    </>
  );
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
