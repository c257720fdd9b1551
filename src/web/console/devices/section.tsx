import type { ReactElement } from "react";
import * as z from "zod";
import {
  DEVICE_ORDERS,
  type DeviceOrder,
  deviceSortKey,
  devicesMatching,
  nameOfDevice,
} from "../../../accounts/devices/search.ts";
import type { SignedInDevice, SignedInDevices } from "../../../accounts/devices/signed-in-devices.ts";
import { type Sort, sortedPage } from "../../../accounts/page.ts";
import type { SessionView, SignIn } from "../../../accounts/sign-in/sign-in.ts";
import { UserId } from "../../../contract/endpoint.ts";
import { checked } from "../../../contract/faults.ts";
import { Command, loginCommand } from "../../command.tsx";
import { Ago } from "../../time.tsx";
import { sameAddress } from "../frame/address.ts";
import { may, queryParam, sortIn, sorts } from "../frame/endpoint-calls.ts";
import { fileOf } from "../frame/files.ts";
import { FilterForm, FindField } from "../frame/filter-form.tsx";
import { Live } from "../frame/live.tsx";
import type { Actions, Section, View } from "../frame/section.ts";
import { Below } from "../frame/table.tsx";
import { browserName } from "./browser-name.ts";
import { BrowserTable } from "./browser-table.tsx";
import { DeviceTable, PATH } from "./device-table.tsx";
import { BROWSER_COLUMNS, DEVICE_COLUMNS } from "./file-columns.ts";

const NamedDevice = z.object({ device: UserId });
const NamedBrowser = z.object({ browser: UserId });

const ON_CARD = 3;
const ON_PAGE = 50;

/**
 * Creates the section of devices that hold tokens, and of the viewer's signed-in browsers. Administrators see all
 * devices of the account, others their own.
 */
export function devicesSection(parts: {
  devices: Pick<SignedInDevices, "list" | "revoke">;
  browsers: Pick<SignIn, "sessionsOf" | "endSession">;
  baseUrl: () => string;
}): Section {
  const { devices, browsers, baseUrl } = parts;

  const actions: Actions = {
    async revoke(view, form) {
      const { device: id } = checked(NamedDevice, { device: form.get("device") });
      const device = (await devicesSeen(view)).find((each) => each.id === id);
      await devices.revoke(view.visit.by, id, ownerSeen(view) === undefined);
      return { said: `${device ? nameOfDevice(device) : "The device"} is signed out.` };
    },
    async "sign-out"(view, form) {
      const { browser: id } = checked(NamedBrowser, { browser: form.get("browser") });
      const browser = (await ownBrowsers(view)).find((each) => each.id === id);
      await browsers.endSession(view.visit.by, id);
      return { said: `${browser ? browserName(browser.userAgent) : "The browser"} is signed out.` };
    },
  };

  return {
    path: PATH,
    title: "Devices",
    group: "Account",
    wide: true,
    async card(view) {
      const list = await devicesSeen(view);
      if (list.length === 0) return <NoDevices baseUrl={baseUrl()} />;
      const more = list.length - ON_CARD;
      return (
        <>
          <Devices list={list.slice(0, ON_CARD)} view={view} />
          {more > 0 && <p className="small muted">and {more} more</p>}
        </>
      );
    },
    async page(view) {
      const list = await devicesSeen(view);
      const { items, nextCursor } = sortedPage(devicesMatching(list, queryParam(view, "query")), {
        ...asking(view),
        sortKeyOf: deviceSortKey,
      });
      return (
        <>
          {list.length === 0 && <NoDevices baseUrl={baseUrl()} />}
          {list.length > 0 && <Search view={view} />}
          <Live name="devices" className="stack">
            {list.length > 0 && items.length === 0 && <p className="muted">No device is like that.</p>}
            {items.length > 0 && (
              <DeviceTable
                list={items}
                view={view}
                sort={asking(view).sort}
                ofAll={ownerSeen(view) === undefined}
              />
            )}
            <Below view={view} path={PATH} after={nextCursor} exported={list.length > 0} lines />
            <h2>Your browsers</h2>
            <BrowserTable list={await sortedBrowsers(view)} view={view} sort={sortOf(view, "browsers")} />
            <p>
              <a
                className="target"
                href={sameAddress(view, `${PATH}/export`, { after: undefined, of: "browsers" })}
              >
                Export your browsers as CSV
              </a>
            </p>
          </Live>
        </>
      );
    },
    actions,
    async download(view) {
      if (queryParam(view, "of") === "browsers")
        return fileOf(view, "browsers", BROWSER_COLUMNS, await sortedBrowsers(view));
      const list = devicesMatching(await devicesSeen(view), queryParam(view, "query"));
      const { items } = sortedPage(list, { ...asking(view), limit: list.length, sortKeyOf: deviceSortKey });
      return fileOf(view, "devices", DEVICE_COLUMNS, items);
    },
  };

  function devicesSeen(view: View): Promise<SignedInDevice[]> {
    return devices.list(view.visit.signedIn.account.id, ownerSeen(view));
  }

  function ownBrowsers({ visit }: View): Promise<SessionView[]> {
    return browsers.sessionsOf(visit.signedIn.account.id, visit.signedIn.user.id);
  }

  async function sortedBrowsers(view: View): Promise<SessionView[]> {
    const list = await ownBrowsers(view);
    return sortedPage(list, {
      sort: sortOf(view, "browsers"),
      limit: list.length,
      sortKeyOf: (browser, order) =>
        deviceSortKey({ ...browser, clientId: browserName(browser.userAgent), email: "" }, order),
    }).items;
  }
}

function asking(view: View) {
  return { sort: sortOf(view, "sort"), limit: ON_PAGE, cursor: queryParam(view, "after") };
}

function sortOf(view: View, name: "sort" | "browsers"): Sort<DeviceOrder> {
  return sortIn(view, DEVICE_ORDERS, name) ?? "-lastUsedAt";
}

function Search({ view }: { view: View }): ReactElement {
  return (
    <FilterForm
      view={view}
      path={PATH}
      choices={{ sort: sorts(DEVICE_ORDERS), browsers: sorts(DEVICE_ORDERS) }}
    >
      <FindField view={view} searched="name, person or address" most={254} />
    </FilterForm>
  );
}

function Devices({ list, view }: { list: readonly SignedInDevice[]; view: View }): ReactElement {
  const { user } = view.visit.signedIn;
  return (
    <ul className="items">
      {list.map((device) => (
        <li key={device.id}>
          <p className="row">
            <strong>{nameOfDevice(device)}</strong>
            <span className="small muted">{device.userId !== user.id && device.email}</span>
          </p>
          <p className="small muted">
            {device.address} · used <Ago at={device.lastUsedAt} now={view.now} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function NoDevices({ baseUrl }: { baseUrl: string }): ReactElement {
  return (
    <>
      <p className="muted">No device is signed in. Sign one in from its terminal:</p>
      <Command>{loginCommand(baseUrl)}</Command>
    </>
  );
}

/** Returns whose devices the viewer sees; undefined means everybody's, for administrators. */
function ownerSeen(view: View): string | undefined {
  return may(view, "admin") ? undefined : view.visit.signedIn.user.id;
}
