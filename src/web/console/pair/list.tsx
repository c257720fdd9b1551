import type { ReactElement } from "react";
import type * as z from "zod";
import { count } from "../../../text/amounts.ts";
import { grouped } from "../../../text/grouped.ts";
import type { pairContract } from "../../../tools/pair/contract.ts";
import { Command, commandFor } from "../../command.tsx";
import { Ago } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import type { View } from "../frame/section.ts";
import { Below } from "../frame/table.tsx";
import { Tabs } from "../frame/tabs.tsx";

type Listed = z.output<(typeof pairContract)["list"]["output"]>;

export const PATH = "/pair";
const NAMED = 5;

export function NoSessions({ view }: { view: View }): ReactElement {
  return (
    <>
      <p className="muted">Nobody works together in project {view.projectId}. Start a session:</p>
      <Command>{commandFor(view.baseUrl, "pair start src/main.ts --with bob", view.projectId)}</Command>
    </>
  );
}

export function States({ state, view }: { state: string | undefined; view: View }): ReactElement {
  const tab = (title: string, value: string | undefined) => ({
    title,
    href: addressOf(view, PATH, { state: value }),
    isCurrent: value === state,
  });
  return (
    <Tabs label="State" tabs={[tab("All", undefined), tab("Active", "active"), tab("Ended", "ended")]} />
  );
}

export function SessionList(props: Listed & { view: View; paged?: boolean }): ReactElement {
  const { items, nextCursor, view, paged } = props;
  if (items.length === 0) return <p className="muted">No session is in that state.</p>;
  return (
    <>
      <ul className="items">
        {items.map((item) => (
          <Item key={item.session.id} {...item} view={view} />
        ))}
      </ul>
      {paged && <Below view={view} path={PATH} after={nextCursor} />}
    </>
  );
}

function Item(props: Listed["items"][number] & { view: View }): ReactElement {
  const { session, files, following, view } = props;
  const { id, title, state, participants, sequence, updatedAt } = session;
  const names = participants.slice(0, NAMED).map((each) => `${each.id} (${each.role})`);
  const others = participants.length - names.length;
  return (
    <li>
      <p className="row">
        <a className="target" href={addressOf(view, PATH, { session: id })}>
          <strong>{title ?? id}</strong>
        </a>
        <span className="small muted">
          {state} · <Ago at={Date.parse(updatedAt)} now={view.now} />
        </span>
      </p>
      <p className="small muted">
        {names.join(", ")}
        {others > 0 && ` and ${grouped(others)} others`} · {count(files, "file")} ·{" "}
        {count(sequence, "change")}
        {following > 0 && ` · ${grouped(following)} follow it now`}
      </p>
    </li>
  );
}
