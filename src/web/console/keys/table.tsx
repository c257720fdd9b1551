import type { ReactElement } from "react";
import type { KeySort, KnownKey } from "../../../accounts/credentials/key-search.ts";
import { iso } from "../../../system/clock.ts";
import { Ago } from "../../time.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import type { View } from "../frame/section.ts";
import { Table } from "../frame/table.tsx";
import { Stop } from "./stop.tsx";
import { Expires } from "./times.tsx";

/** A sortable table of keys, with links to their pages and buttons to stop them. */
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
        { title: "May", isName: true, cell: (key) => <Rights knownKey={key} /> },
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
        {
          title: "Stop it",
          cell: (key) => <Stop knownKey={key} next={sameAddress(view, "/keys", {})} view={view} />,
        },
      ]}
    />
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
