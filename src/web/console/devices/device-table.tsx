import type { ReactElement } from "react";
import { nameOfDevice } from "../../../accounts/devices/search.ts";
import type { SignedInDevice } from "../../../accounts/devices/signed-in-devices.ts";
import { Ago } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import type { View } from "../frame/section.ts";
import { type Column, Table } from "../frame/table.tsx";
import { TwoSteps } from "../frame/two-steps.tsx";

export const PATH = "/devices";

export function DeviceTable(props: {
  list: readonly SignedInDevice[];
  view: View;
  sort: string;
  /** Whether the list has devices of several people. */
  ofAll: boolean;
}): ReactElement {
  const { list, view, sort, ofAll } = props;
  const { now } = view;
  const whose: Column<SignedInDevice> = {
    title: "Whose",
    sort: "email",
    isName: true,
    cell: ({ email }) => email,
  };
  return (
    <Table
      view={view}
      path={PATH}
      label="Devices"
      sort={sort}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Device",
          sort: "name",
          cell: (device) => (
            <>
              {nameOfDevice(device)}
              {device.userAgent && <span className="block small muted">{device.userAgent}</span>}
            </>
          ),
        },
        ...(ofAll ? [whose] : []),
        { title: "Address", sort: "address", cell: ({ address }) => address },
        {
          title: "May",
          isName: true,
          cell: ({ scopes, audience }) => (
            <>
              {scopes.join(" ")}
              {audience !== undefined && <span className="block small muted">at {audience} alone</span>}
            </>
          ),
        },
        {
          title: "Signed in",
          sort: "createdAt",
          largestFirst: true,
          cell: ({ createdAt }) => <Ago at={createdAt} now={now} />,
        },
        {
          title: "Used",
          sort: "lastUsedAt",
          largestFirst: true,
          cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} now={now} />,
        },
        {
          title: "Sign it out",
          cell: (device) => (
            <TwoSteps
              verb="Revoke"
              action={addressOf(view, PATH)}
              visit={view.visit}
              fields={{ do: "revoke", device: device.id }}
              subject={`${nameOfDevice(device)} at ${device.address}`}
              consequence="It must sign in again before it can go on."
            />
          ),
        },
      ]}
    />
  );
}
