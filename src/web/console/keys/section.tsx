import type { ReactElement } from "react";
import type { ApiKeys } from "../../../accounts/credentials/api-keys.ts";
import type { KeyQuestion, KnownKey } from "../../../accounts/credentials/key-search.ts";
import { KEY_ORDERS } from "../../../accounts/credentials/keys-contract.ts";
import type { KeyUse } from "../../../accounts/credentials/keys-handlers.ts";
import { DAY_MS } from "../../../system/durations.ts";
import { duration } from "../../../text/amounts.ts";
import { Command, commandFor } from "../../command.tsx";
import { addressOf } from "../frame/address.ts";
import { may, queryParam, sortIn, sorts } from "../frame/endpoint-calls.ts";
import { everyItem, fileOf } from "../frame/files.ts";
import { FilterForm, FindField } from "../frame/filter-form.tsx";
import { Live } from "../frame/live.tsx";
import { firstOf, needOf } from "../frame/need-of.ts";
import { Titled } from "../frame/pages.tsx";
import type { Projects } from "../frame/projects.tsx";
import type { Actions, Section, View } from "../frame/section.ts";
import { Below } from "../frame/table.tsx";
import { SecretOnce } from "../secret-once.tsx";
import { KeyDetails } from "./details.tsx";
import { KEY_COLUMNS } from "./file-columns.ts";
import { NewKey } from "./forms.tsx";
import { changeIn, keyIn, newKeyIn, overlapIn } from "./read-forms.ts";
import { KeyTable } from "./table.tsx";
import { Expiry, LastUse } from "./times.tsx";

const ON_CARD = 3;
/** Maximum characters of a search, as the API has it. */
const MAX_QUERY = 254;
const ON_PAGE = 100;
const SOON_MS = 14 * DAY_MS;

/**
 * Creates the section of the account's API keys, for those who may manage them.
 *
 * @param projects the projects to offer.
 */
export function keysSection(apiKeys: ApiKeys, projects: Projects, keyUse?: KeyUse): Section {
  const actions: Actions = {
    async create(view, form) {
      const { key, secret } = await apiKeys.create(view.visit.by, newKeyIn(form, view.now));
      return shownOnce(`The key ${key.name} is made`, secret, view);
    },
    async change({ visit, now }, form) {
      const before = await apiKeys.get(visit.by.accountId, keyIn(form));
      const { name } = await apiKeys.update(visit.by, before.id, changeIn(form, before, now));
      return { said: `The key ${name} is as you said.` };
    },
    async suspend({ visit }, form) {
      const { id, name } = await apiKeys.update(visit.by, keyIn(form), { suspended: true });
      return {
        said: `The key ${name} is stopped: whoever uses it is refused from now on.`,
        undo: { do: "resume", key: id },
      };
    },
    async resume({ visit }, form) {
      const { id, name } = await apiKeys.update(visit.by, keyIn(form), { suspended: false });
      return { said: `The key ${name} works again.`, undo: { do: "suspend", key: id } };
    },
    rotate: (view, form) =>
      apiKeys.rotate(view.visit.by, keyIn(form), overlapIn(form), ({ key, secret }) =>
        shownOnce(`The key ${key.name} has a new secret`, secret, view),
      ),
    async revoke(view, form) {
      const { by } = view.visit;
      const { name } = await apiKeys.get(by.accountId, keyIn(form));
      await apiKeys.revoke(by, keyIn(form));
      return { said: `The key ${name} is revoked, for good.`, next: addressOf(view, "/keys") };
    },
  };

  return {
    path: "/keys",
    title: "API keys",
    group: "Account",
    wide: true,
    isFor: (view) => may(view, "admin"),
    notFor: "An administrator of the account manages its keys.",
    async card(view) {
      const { items } = await apiKeys.list(view.visit.signedIn.account.id, { limit: ON_CARD });
      return items.length === 0 ? <NoKeys view={view} /> : <KeyList keys={items} view={view} />;
    },
    async needs({ visit, now }) {
      const inTime = ({ expiresAt = now }: KnownKey) => `in ${duration(expiresAt - now)}`;
      return needOf(
        await apiKeys.expiring(visit.signedIn.account.id, SOON_MS),
        (key) => ({ said: `The key ${key.name} expires soon`, detail: inTime(key), asked: { key: key.id } }),
        (count, keys) => ({
          said: `${count} keys expire soon`,
          detail: firstOf(keys, (key) => `${key.name} ${inTime(key)}`),
          asked: { sort: "expiresAt" },
        }),
      );
    },
    async page(view) {
      const accountId = view.visit.signedIn.account.id;
      const chosen = view.query.get("key");
      if (chosen !== null) {
        const knownKey = await apiKeys.get(accountId, chosen);
        const [used, known] = await Promise.all([keyUse?.(accountId, chosen), projects(view.visit.signedIn)]);
        return (
          <Titled name={knownKey.name}>
            <KeyDetails knownKey={knownKey} used={used} projects={known} view={view} />
          </Titled>
        );
      }
      const asked = questionOf(view);
      const { items, nextCursor } = await apiKeys.list(accountId, asked);
      const isSearch = asked.query !== undefined;
      return (
        <>
          <a className="target" href="#make">
            Make a key
          </a>
          {(items.length > 0 || isSearch) && <Search view={view} />}
          <Live name="keys" className="stack">
            {items.length > 0 && <KeyTable keys={items} view={view} sort={asked.sort} />}
            {items.length === 0 &&
              (isSearch ? <p className="muted">No key is called that.</p> : <NoKeys view={view} />)}
            <Below view={view} path="/keys" after={nextCursor} exported={items.length > 0} lines />
          </Live>
          <NewKey view={view} projects={await projects(view.visit.signedIn)} />
        </>
      );
    },
    actions,
    async download(view) {
      const { accountId } = view.visit.by;
      const asked = { ...questionOf(view), limit: 200 };
      const keys = everyItem((cursor) => apiKeys.list(accountId, { ...asked, cursor }));
      return fileOf(view, "api-keys", KEY_COLUMNS, keys);
    },
  };
}

function questionOf(view: View): KeyQuestion {
  return {
    limit: ON_PAGE,
    cursor: queryParam(view, "after"),
    query: queryParam(view, "query")?.slice(0, MAX_QUERY),
    sort: sortIn(view, KEY_ORDERS),
  };
}

function Search({ view }: { view: View }): ReactElement {
  return (
    <FilterForm view={view} path="/keys" choices={{ sort: sorts(KEY_ORDERS) }}>
      <FindField view={view} searched="name, id or secret" most={MAX_QUERY} />
    </FilterForm>
  );
}

function KeyList({ keys, view }: { keys: readonly KnownKey[]; view: View }): ReactElement {
  return (
    <ul className="items">
      {keys.map((key) => (
        <li key={key.id}>
          <p className="row">
            <strong>{key.name}</strong>
            <code>{key.prefix}…</code>
          </p>
          <p className="small muted">
            {key.scopes.join(" ")} · <LastUse knownKey={key} now={view.now} />
            <Expiry knownKey={key} now={view.now} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function NoKeys({ view }: { view: View }): ReactElement {
  return (
    <>
      <p className="muted">No API keys. Make one for a program, here or in a terminal:</p>
      <Command>{commandFor(view.baseUrl, "keys create ci")}</Command>
    </>
  );
}

function shownOnce(title: string, secret: string, view: View): ReactElement {
  const use = "A program sends it as Authorization: Bearer, or as X-API-Key.";
  return (
    <SecretOnce title={title} label="Its secret" secret={secret} use={use} next={addressOf(view, "/keys")} />
  );
}
