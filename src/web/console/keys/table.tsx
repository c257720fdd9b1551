import type { ReactElement } from "react";
import type { ApiKeys, KnownKey } from "../../../accounts/credentials/api-keys.ts";
import type { KeyQuestion, KeySort } from "../../../accounts/credentials/key-search.ts";
import { csvLine } from "../../../contract/csv.ts";
import { iso } from "../../../system/clock.ts";
import { Form } from "../../layout.tsx";
import { Ago, Until } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
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
          cell: (key) => <LastUse knownKey={key} now={view.now} />,
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

/** Every key that is asked for, as lines of CSV; no secrets. */
export async function* keysCsv(
  apiKeys: Pick<ApiKeys, "list">,
  accountId: string,
  asked: Omit<KeyQuestion, "limit" | "cursor">,
): AsyncGenerator<string> {
  yield csvLine(["key", "keyName", "prefix", "scopes", "project", "createdBy", ...TIMES]);
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await apiKeys.list(accountId, { ...asked, limit: 200, cursor });
    for (const key of items) {
      const { id, name, prefix, scopes, projectId = null, createdBy } = key;
      const times = TIMES.map((time) => (key[time] === undefined ? null : iso(key[time])));
      yield csvLine([id, name, prefix, scopes.join(" "), projectId, createdBy, ...times]);
    }
    if (nextCursor === undefined) return;
    cursor = nextCursor;
  }
}

const TIMES = ["createdAt", "lastUsedAt", "expiresAt", "suspendedAt"] as const;

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
