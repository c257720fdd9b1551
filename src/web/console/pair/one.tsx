import type { ReactElement } from "react";
import type * as z from "zod";
import { count } from "../../../text/amounts.ts";
import { grouped } from "../../../text/grouped.ts";
import type { pairContract } from "../../../tools/pair/contract.ts";
import type { RecentChange } from "../../../tools/pair/session-contract.ts";
import { Ago } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import { may } from "../frame/endpoint-calls.ts";
import { Fact } from "../frame/facts.tsx";
import type { View } from "../frame/section.ts";
import { Below } from "../frame/table.tsx";
import { TwoSteps } from "../frame/two-steps.tsx";
import { PATH } from "./list.tsx";

type Recent = z.output<(typeof pairContract)["recent"]["output"]>;

const MAX_FILES = 50;

/** Shows a session's participants, its files, and the latest changes line by line, of one file if `path` is given. */
export function OneSession(props: Recent & { path: string | undefined; view: View }): ReactElement {
  const { session, items, nextCursor, path, view } = props;
  return (
    <>
      <a className="target" href={addressOf(view, PATH)}>
        All sessions
      </a>
      <h2>{session.title ?? session.id}</h2>
      <About {...props} />
      <Files {...props} />
      <h2>{path === undefined ? "Changes" : `Changes of ${path}`}</h2>
      {items.length === 0 && (
        <p className="muted">Nothing was changed{path !== undefined && " in it"} yet.</p>
      )}
      <ul className="items">
        {items.map((change) => (
          <li key={change.sequence}>
            <Change change={change} view={view} />
          </li>
        ))}
      </ul>
      <Below view={view} path={PATH} after={nextCursor} />
      {session.state === "active" && may(view, "write") && (
        <TwoSteps
          action={addressOf(view, PATH)}
          visit={view.visit}
          verb="End"
          fields={{ do: "end", session: session.id }}
          subject="the session"
          consequence="It can be read from then on, and not changed: nobody can take that back."
        />
      )}
    </>
  );
}

function About({ session, following, view }: Recent & { view: View }): ReactElement {
  const { id, state, participants, sequence, createdAt, endedAt } = session;
  const of = (role: string) => participants.filter((each) => each.role === role).map((each) => each.id);
  return (
    <dl className="facts">
      <Fact name="State">
        {state}
        {endedAt !== undefined && (
          <>
            {" "}
            <Ago at={Date.parse(endedAt)} now={view.now} />
          </>
        )}
      </Fact>
      {(["driver", "navigator"] as const).map(
        (role) =>
          of(role).length > 0 && (
            <Fact key={role} name={role === "driver" ? "Drives" : "Navigates"}>
              {of(role).join(", ")}
            </Fact>
          ),
      )}
      <Fact name="Now">
        {following === 0 ? "nobody follows it" : `${count(following, "stream")} open to it`}
      </Fact>
      <Fact name="Began">
        <Ago at={Date.parse(createdAt)} now={view.now} />, {count(sequence, "change")} since
      </Fact>
      <Fact name="Id">
        <code>{id}</code>
      </Fact>
    </dl>
  );
}

function Files({ session, files, path, view }: Recent & { path: string | undefined; view: View }) {
  if (files.length === 0) return null;
  return (
    <>
      <h2>Files</h2>
      <ul className="items">
        {files.slice(0, MAX_FILES).map((file) => (
          <li key={file.path} className="row">
            <a
              className="target"
              aria-current={file.path === path ? "true" : undefined}
              href={addressOf(view, PATH, { session: session.id, path: file.path })}
            >
              <code>{file.path}</code>
            </a>
            <span className="small muted">
              {count(file.length, "character")} ·{" "}
              {file.revision === 0 ? "as it was uploaded" : `change ${grouped(file.revision)}`}
            </span>
          </li>
        ))}
      </ul>
      {files.length > MAX_FILES && <p className="muted">and {grouped(files.length - MAX_FILES)} others</p>}
      {path !== undefined && (
        <a className="target" href={addressOf(view, PATH, { session: session.id })}>
          Changes of all files
        </a>
      )}
    </>
  );
}

function Change({ change, view }: { change: RecentChange; view: View }): ReactElement {
  const { sequence, author, role, path, message, rebased, at, lines, inserted, removed } = change;
  return (
    <div className="stack tight">
      <p className="row">
        <span>
          <strong>{author}</strong> <code>{path}</code>
        </span>
        <span className="small muted">
          #{grouped(sequence)} · {role}
          {rebased && " · moved over what came between"} · <Ago at={Date.parse(at)} now={view.now} />
        </span>
      </p>
      {message !== undefined && <p className="small">{message}</p>}
      {lines === null ? (
        <p className="small muted">
          {count(inserted, "character")} inserted, {count(removed, "character")} removed; the text that it was
          made to is not kept.
        </p>
      ) : (
        <Diff lines={lines} label={`Change ${sequence}`} />
      )}
    </div>
  );
}

function Diff(props: { lines: NonNullable<RecentChange["lines"]>; label: string }): ReactElement {
  const { lines, label } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it can only be scrolled by keyboard if it can have the focus
    <section className="scroll diff" tabIndex={0} aria-label={label}>
      <pre>
        {lines.flatMap(({ line, removed, inserted }) => [
          ...removed.map((text, index) => row(line + index, "-", text)),
          ...inserted.map((text, index) => row(line + index, "+", text)),
        ])}
      </pre>
    </section>
  );
}

function row(line: number, mark: "-" | "+", text: string): ReactElement {
  const Element = mark === "-" ? "del" : "ins";
  return <Element key={`${mark}${line}`}>{`${String(line).padStart(5)} ${mark} ${text}\n`}</Element>;
}
