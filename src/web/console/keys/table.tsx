import type { ReactElement } from "react";
import type { KnownKey } from "../../../accounts/credentials/api-keys.ts";
import type { KeySort } from "../../../accounts/credentials/key-search.ts";
import { iso } from "../../../system/clock.ts";
import { Form } from "../../form.tsx";
import { Ago, Until } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import { type FileColumns, isoOrNone } from "../frame/files.ts";
import type { View } from "../frame/section.ts";
import { Table } from "../frame/table.tsx";

/** Keys to sort, each leading to all of itself, with what stops it. */
export function KeyTable(props: {
  keys: readonly KnownKey[];
  view: View;
  sort: KeySort | undefined;
}): ReactElement {
  const { keys, view, sort = "createdAt" } = props;
  return (
    <Table
      view={view}
      path="/keys"
      label="API keys"
      sort={sort}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Name",
          sort: "name",
          cell: ({ id, name }) => <a href={addressOf(view, "/keys", { key: id })}>{name}</a>,
        },
        { title: "Secret", cell: ({ prefix }) => <code>{prefix}…</code> },
        { title: "May", cell: (key) => <Rights knownKey={key} /> },
        {
          title: "Used",
          sort: "lastUsedAt",
          largestFirst: true,
          cell: ({ lastUsedAt, lastUsedAddress }) =>
            lastUsedAt === undefined ? (
              "never"
            ) : (
              <>
                <Ago at={lastUsedAt} now={view.now} />
                {lastUsedAddress !== undefined && (
                  <span className="block small muted">{lastUsedAddress}</span>
                )}
              </>
            ),
        },
        {
          title: "Made",
          sort: "createdAt",
          largestFirst: true,
          cell: ({ createdAt }) => iso(createdAt).slice(0, 10),
        },
        { title: "Expires", sort: "expiresAt", cell: (key) => <Expires knownKey={key} now={view.now} /> },
        { title: "Stop it", cell: (key) => <Stop knownKey={key} view={view} /> },
      ]}
    />
  );
}

/** One press stops it, another lets it go on. */
export function Stop(props: {
  knownKey: Pick<KnownKey, "id" | "name" | "suspendedAt">;
  view: View;
}): ReactElement {
  const { knownKey, view } = props;
  const isSuspended = knownKey.suspendedAt !== undefined;
  return (
    <Form action={addressOf(view, "/keys")} visit={view.visit}>
      <input type="hidden" name="do" value={isSuspended ? "resume" : "suspend"} />
      <input type="hidden" name="key" value={knownKey.id} />
      <button type="submit">
        {isSuspended ? "Resume" : "Stop"}
        <span className="unseen"> the key {knownKey.name}</span>
      </button>
    </Form>
  );
}

function Rights({ knownKey }: { knownKey: KnownKey }): ReactElement {
  const { scopes, projectId, tools, addresses } = knownKey;
  return (
    <>
      {scopes.join(" ")}
      {projectId && ` · project ${projectId}`}
      {tools && " · bound to tools"}
      {addresses && " · bound to addresses"}
    </>
  );
}

function Expires({ knownKey: { expiresAt }, now }: { knownKey: KnownKey; now: number }): ReactElement {
  if (expiresAt === undefined) return <>never</>;
  if (expiresAt <= now) return <>expired</>;
  return (
    <>
      in <Until at={expiresAt} now={now} />
    </>
  );
}

/** What a file says of each key; no secrets. */
export const KEY_COLUMNS: FileColumns<KnownKey> = {
  key: ({ id }) => id,
  keyName: ({ name }) => name,
  prefix: ({ prefix }) => prefix,
  scopes: ({ scopes }) => scopes.join(" "),
  project: ({ projectId }) => projectId,
  createdBy: ({ createdBy }) => createdBy,
  createdAt: ({ createdAt }) => iso(createdAt),
  lastUsedAt: ({ lastUsedAt }) => isoOrNone(lastUsedAt),
  expiresAt: ({ expiresAt }) => isoOrNone(expiresAt),
  suspendedAt: ({ suspendedAt }) => isoOrNone(suspendedAt),
};

export function LastUse({ knownKey, now }: { knownKey: KnownKey; now: number }): ReactElement {
  if (knownKey.lastUsedAt === undefined) return <>never used</>;
  return (
    <>
      used <Ago at={knownKey.lastUsedAt} now={now} />
      {knownKey.lastUsedAddress !== undefined && ` from ${knownKey.lastUsedAddress}`}
    </>
  );
}

export function Expiry({ knownKey, now }: { knownKey: KnownKey; now: number }): ReactElement | null {
  const { expiresAt } = knownKey;
  if (expiresAt === undefined) return null;
  if (expiresAt <= now) return <> · expired</>;
  return (
    <>
      {" · expires in "}
      <Until at={expiresAt} now={now} />
    </>
  );
}
