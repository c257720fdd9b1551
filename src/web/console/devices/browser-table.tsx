import type { SessionView } from "../../../accounts/sign-in/sign-in.ts";
import { Ago } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import type { View } from "../frame/section.ts";
import { Table } from "../frame/table.tsx";
import { TwoSteps } from "../frame/two-steps.tsx";
import { browserName } from "./browser-name.ts";
import { PATH } from "./device-table.tsx";

export function BrowserTable({
  list,
  view,
  sort,
}: {
  list: readonly SessionView[];
  view: View;
  sort: string;
}) {
  const { session } = view.visit.signedIn;
  const { now } = view;
  return (
    <Table
      view={view}
      path={PATH}
      label="Your browsers"
      sort={sort}
      sortName="browsers"
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        { title: "Browser", sort: "name", cell: ({ userAgent }) => browserName(userAgent) },
        { title: "Address", sort: "address", cell: ({ address }) => address },
        {
          title: "Signed in",
          sort: "createdAt",
          largestFirst: true,
          cell: ({ createdAt, startedBy }) => (
            <>
              <Ago at={createdAt} now={now} /> by {startedBy}
            </>
          ),
        },
        {
          title: "Used",
          sort: "lastUsedAt",
          largestFirst: true,
          cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} now={now} />,
        },
        {
          title: "Sign it out",
          cell: ({ id, userAgent, address }) =>
            id === session.id ? (
              "this browser"
            ) : (
              <TwoSteps
                verb="Revoke"
                action={addressOf(view, PATH)}
                visit={view.visit}
                fields={{ do: "sign-out", browser: id }}
                subject={`${browserName(userAgent)} at ${address}`}
                consequence="It is signed out at once."
              />
            ),
        },
      ]}
    />
  );
}
