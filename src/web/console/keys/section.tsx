import type { ReactElement } from "react";
import type { ApiKeys, KnownKey } from "../../../accounts/credentials/api-keys.ts";
import type { KeyQuestion } from "../../../accounts/credentials/key-search.ts";
import type { KeyUse } from "../../../accounts/credentials/keys-handlers.ts";
import { allows } from "../../../contract/caller.ts";
import { Problem } from "../../../contract/problem.ts";
import { Command, commandFor } from "../../command.tsx";
import { Ago, Until } from "../../time.tsx";
import { Revoke } from "../revoke.tsx";
import type { Section, View } from "../section.ts";
import { KeyDetails } from "./details.tsx";
import { NewKey, SecretOnce } from "./forms.tsx";
import { changeIn, keyIn, newKeyIn, overlapIn } from "./read-forms.ts";

const ON_CARD = 3;
const ON_PAGE = 100;

const ORDERS = {
  createdAt: "oldest first",
  "-createdAt": "newest first",
  name: "by name",
  "-lastUsedAt": "last used first",
  lastUsedAt: "longest unused first",
  expiresAt: "soonest to expire",
} as const;

/** The account's API keys, for those who may manage them. */
export function keysSection(apiKeys: ApiKeys, keyUse?: KeyUse): Section {
  const deeds: Record<string, (view: View, form: URLSearchParams) => Promise<ReactElement | undefined>> = {
    async create({ visit, now }, form) {
      const { key, secret } = await apiKeys.create(visit.by, newKeyIn(form, now));
      return <SecretOnce title={`The key ${key.name} is made`} secret={secret} />;
    },
    async change({ visit, now }, form) {
      const before = await apiKeys.get(visit.by.accountId, keyIn(form));
      await apiKeys.update(visit.by, before.id, changeIn(form, before, now));
      return undefined;
    },
    rotate: ({ visit }, form) =>
      apiKeys.rotate(visit.by, keyIn(form), overlapIn(form), ({ key, secret }) => (
        <SecretOnce title={`The key ${key.name} has a new secret`} secret={secret} />
      )),
    async revoke({ visit }, form) {
      await apiKeys.revoke(visit.by, keyIn(form));
      return undefined;
    },
  };

  return {
    path: "/keys",
    title: "API keys",
    group: "Account",
    isFor: mayManage,
    notFor: "An administrator of the account manages its keys.",
    async card(view) {
      const { items } = await apiKeys.list(view.visit.signedIn.account.id, { limit: ON_CARD });
      return items.length === 0 ? <NoKeys view={view} /> : <KeyList keys={items} view={view} />;
    },
    async page(view) {
      const accountId = view.visit.signedIn.account.id;
      const chosen = view.query.get("key");
      if (chosen !== null) {
        const knownKey = await apiKeys.get(accountId, chosen);
        return <KeyDetails knownKey={knownKey} used={await keyUse?.(accountId, chosen)} view={view} />;
      }
      const asked = questionOf(view);
      const { items, nextCursor } = await apiKeys.list(accountId, asked);
      const isSearch = asked.query !== undefined;
      return (
        <>
          {(items.length > 0 || isSearch) && (
            <>
              <a className="target" href="#make">
                Make a key
              </a>
              <Search asked={asked} />
            </>
          )}
          {items.length > 0 && <KeyList keys={items} view={view} managed />}
          {items.length === 0 &&
            (isSearch ? <p className="muted">No key is called that.</p> : <NoKeys view={view} />)}
          {nextCursor && <a href={`/keys?${queryOf(asked, nextCursor)}`}>More keys</a>}
          <NewKey view={view} />
        </>
      );
    },
    async act(form, view) {
      const deed = deeds[form.get("do") ?? ""];
      if (!deed) throw new Problem("invalid_request", "This form is out of date. Reload the page.");
      return deed(view, form);
    },
  };
}

function questionOf({ query }: View): KeyQuestion {
  const text = query.get("query")?.trim().slice(0, 254);
  const sort = query.get("sort") ?? "";
  return {
    limit: ON_PAGE,
    cursor: query.get("after") ?? undefined,
    ...(text && { query: text }),
    ...(Object.hasOwn(ORDERS, sort) && { sort: sort as keyof typeof ORDERS }),
  };
}

function queryOf({ query, sort }: KeyQuestion, after: string): URLSearchParams {
  return new URLSearchParams({ ...(query !== undefined && { query }), ...(sort && { sort }), after });
}

function Search({ asked }: { asked: KeyQuestion }): ReactElement {
  return (
    <form method="get" action="/keys" className="inline">
      <label htmlFor="query">Find</label>
      <input id="query" name="query" type="search" defaultValue={asked.query} />
      <label htmlFor="sort">Order</label>
      <select id="sort" name="sort" defaultValue={asked.sort ?? "createdAt"}>
        {Object.entries(ORDERS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit">Search</button>
    </form>
  );
}

function KeyList(props: { keys: readonly KnownKey[]; view: View; managed?: boolean }): ReactElement {
  const { keys, view, managed } = props;
  return (
    <ul className="items">
      {keys.map((key) => (
        <li key={key.id}>
          <p className="row">
            {managed ? (
              <a className="target" href={`/keys?${new URLSearchParams({ key: key.id })}`}>
                <strong>{key.name}</strong>
              </a>
            ) : (
              <strong>{key.name}</strong>
            )}
            <code>{key.prefix}…</code>
          </p>
          <p className="small muted">
            {key.scopes.join(" ")}
            {key.projectId && ` · project ${key.projectId}`}
            {key.tools && " · bound to tools"}
            {key.addresses && " · bound to addresses"}
            {" · "}
            <LastUse knownKey={key} now={view.now} />
            <Expiry knownKey={key} now={view.now} />
          </p>
          {managed && (
            <Revoke
              action="/keys"
              visit={view.visit}
              fields={{ do: "revoke", key: key.id }}
              subject={key.name}
              consequence="Programs that use it stop working at once."
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function LastUse({ knownKey, now }: { knownKey: KnownKey; now: number }): ReactElement {
  if (knownKey.lastUsedAt === undefined) return <>never used</>;
  return (
    <>
      used <Ago at={knownKey.lastUsedAt} now={now} />
      {knownKey.lastUsedAddress !== undefined && ` from ${knownKey.lastUsedAddress}`}
    </>
  );
}

function Expiry({ knownKey, now }: { knownKey: KnownKey; now: number }): ReactElement | null {
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

function NoKeys({ view }: { view: View }): ReactElement {
  return (
    <>
      <p className="muted">No API keys. Make one for a program, here or in a terminal:</p>
      <Command>{commandFor(view.baseUrl, "keys create ci")}</Command>
    </>
  );
}

function mayManage({ visit }: View): boolean {
  return allows(visit.signedIn.scopes, "admin");
}
