import type { ReactElement, ReactNode } from "react";
import type { SignedInDevice, TokenFamilies } from "../../accounts/credentials/token-families.ts";
import type { SessionView, SignIn } from "../../accounts/sign-in/sign-in.ts";
import type { Users } from "../../accounts/users.ts";
import { allows } from "../../contract/caller.ts";
import { Command, loginCommand } from "../command.tsx";
import { Ago } from "../time.tsx";
import { browserName } from "./browser-name.ts";
import { Revoke } from "./frame/revoke.tsx";
import type { Section, View } from "./frame/section.ts";

const ON_CARD = 3;

/**
 * Devices that hold tokens, and the browsers that one is signed in with. Administrators see every
 * device of the account, others their own.
 */
export function devicesSection(parts: {
  devices: Pick<TokenFamilies, "list" | "revoke">;
  browsers: Pick<SignIn, "sessionsOf" | "endSession">;
  users: Pick<Users, "get">;
  baseUrl: () => string;
}): Section {
  const { devices, browsers, users, baseUrl } = parts;
  return {
    path: "/devices",
    title: "Devices",
    group: "Account",
    async card(view) {
      const list = await devices.list(view.visit.signedIn.account.id, ownerSeen(view));
      if (list.length === 0) return <NoDevices baseUrl={baseUrl()} />;
      const more = list.length - ON_CARD;
      return (
        <>
          <Devices
            list={list.slice(0, ON_CARD)}
            view={view}
            emails={await emailsOf(list.slice(0, ON_CARD), view)}
          />
          {more > 0 && <p className="small muted">and {more} more</p>}
        </>
      );
    },
    async page(view) {
      const { account, user } = view.visit.signedIn;
      const list = await devices.list(account.id, ownerSeen(view));
      return (
        <>
          {list.length === 0 ? (
            <NoDevices baseUrl={baseUrl()} />
          ) : (
            <Devices list={list} view={view} emails={await emailsOf(list, view)} revocable />
          )}
          <h2>Your browsers</h2>
          <Browsers list={await browsers.sessionsOf(account.id, user.id)} view={view} />
        </>
      );
    },
    async act(form, view) {
      const { by } = view.visit;
      const browser = form.get("browser");
      if (browser !== null) await browsers.endSession(by, browser);
      else await devices.revoke(by, form.get("device") ?? "", ownerSeen(view) === undefined);
      return undefined;
    },
  };

  /** Whose devices those of another are. */
  async function emailsOf(list: readonly SignedInDevice[], view: View): Promise<ReadonlyMap<string, string>> {
    const { account, user } = view.visit.signedIn;
    const others = [...new Set(list.map(({ userId }) => userId))].filter((id) => id !== user.id);
    const found = await Promise.allSettled(others.map((id) => users.get(account.id, id)));
    return new Map(
      found.flatMap((one) => (one.status === "fulfilled" ? [[one.value.id, one.value.email]] : [])),
    );
  }
}

/** What a client calls itself never stands alone: another may call itself the same. */
function nameOf({ clientId, clientName }: SignedInDevice): string {
  return clientName === undefined ? clientId : `${clientName} (${clientId})`;
}

function Devices(props: {
  list: readonly SignedInDevice[];
  view: View;
  emails: ReadonlyMap<string, string>;
  revocable?: boolean;
}): ReactElement {
  const { list, view, emails, revocable } = props;
  return (
    <ul className="items">
      {list.map((device) => (
        <Item
          key={device.id}
          title={nameOf(device)}
          aside={emails.get(device.userId)}
          program={device.userAgent}
          address={device.address}
        >
          {device.scopes.join(" ")} · signed in <Ago at={device.createdAt} now={view.now} /> · used{" "}
          <Ago at={device.lastUsedAt} now={view.now} />
          {revocable && (
            <Revoke
              action="/devices"
              visit={view.visit}
              fields={{ device: device.id }}
              subject={`${nameOf(device)} at ${device.address}`}
              consequence="It must sign in again before it can go on."
            />
          )}
        </Item>
      ))}
    </ul>
  );
}

function Browsers({ list, view }: { list: readonly SessionView[]; view: View }): ReactElement {
  const { session } = view.visit.signedIn;
  return (
    <ul className="items">
      {list.map((browser) => (
        <Item
          key={browser.id}
          title={browserName(browser.userAgent)}
          aside={browser.id === session.id ? "this browser" : undefined}
          address={browser.address}
        >
          signed in <Ago at={browser.createdAt} now={view.now} /> by {browser.startedBy} · used{" "}
          <Ago at={browser.lastUsedAt} now={view.now} />
          {browser.id !== session.id && (
            <Revoke
              action="/devices"
              visit={view.visit}
              fields={{ browser: browser.id }}
              subject={`${browserName(browser.userAgent)} at ${browser.address}`}
              consequence="It is signed out at once."
            />
          )}
        </Item>
      ))}
    </ul>
  );
}

function Item(props: {
  title: string;
  aside?: string | undefined;
  program?: string;
  address: string;
  children: ReactNode;
}): ReactElement {
  return (
    <li>
      <p className="row">
        <strong>{props.title}</strong>
        <span className="small muted">{props.aside}</span>
      </p>
      <p className="small">
        {props.program !== undefined && `${props.program || "Program not named"}, `}
        {props.address}
      </p>
      <div className="small muted">{props.children}</div>
    </li>
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

/** Administrators see everybody's: undefined. */
function ownerSeen({ visit }: View): string | undefined {
  return allows(visit.signedIn.scopes, "admin") ? undefined : visit.signedIn.user.id;
}
