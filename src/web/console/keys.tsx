import type { ReactElement } from "react";
import type { ApiKeys } from "../../accounts/credentials/api-keys.ts";
import type { ApiKey } from "../../accounts/model.ts";
import { allows } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { Command } from "../command.tsx";
import { Ago, Until } from "../time.tsx";
import { Revoke } from "./revoke.tsx";
import type { Section, View } from "./section.ts";

const ON_CARD = 3;
const ON_PAGE = 100;

/** The account's API keys, for those who may manage them. */
export function keysSection(apiKeys: Pick<ApiKeys, "list" | "revoke">): Section {
  return {
    path: "/keys",
    title: "API keys",
    async card(view) {
      if (!mayManage(view)) return <NotYours />;
      const { items } = await apiKeys.list(view.visit.signedIn.account.id, { limit: ON_CARD });
      return items.length === 0 ? <NoKeys /> : <KeyList keys={items} view={view} />;
    },
    async page(view) {
      if (!mayManage(view)) return <NotYours />;
      const cursor = view.query.get("after") ?? undefined;
      const { account } = view.visit.signedIn;
      const { items, nextCursor } = await apiKeys.list(account.id, { limit: ON_PAGE, cursor });
      if (items.length === 0) return <NoKeys />;
      return (
        <>
          <KeyList keys={items} view={view} revocable />
          {nextCursor && <a href={`/keys?${new URLSearchParams({ after: nextCursor })}`}>More keys</a>}
          <p className="muted">Another key:</p>
          <CreateKey />
        </>
      );
    },
    async act(form, view) {
      if (!mayManage(view))
        throw new Problem("forbidden", "Only an administrator of the account revokes keys.");
      await apiKeys.revoke(view.visit.by, form.get("key") ?? "");
      return undefined;
    },
  };
}

function KeyList(props: { keys: readonly ApiKey[]; view: View; revocable?: boolean }): ReactElement {
  const { keys, view, revocable } = props;
  return (
    <ul className="items">
      {keys.map((key) => (
        <li key={key.id}>
          <p className="row">
            <strong>{key.name}</strong>
            <code>{key.prefix}…</code>
          </p>
          <p className="small muted">
            {key.scopes.join(" ")}
            {key.projectId && ` · project ${key.projectId}`}
            {" · "}
            {key.lastUsedAt === undefined ? (
              "never used"
            ) : (
              <>
                used <Ago at={key.lastUsedAt} now={view.now} />
              </>
            )}
            {key.expiresAt !== undefined && (
              <>
                {" "}
                · expires in <Until at={key.expiresAt} now={view.now} />
              </>
            )}
          </p>
          {revocable && (
            <Revoke
              action="/keys"
              visit={view.visit}
              field={{ name: "key", value: key.id }}
              subject={key.name}
              consequence="Programs that use it stop working at once."
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function NoKeys(): ReactElement {
  return (
    <>
      <p className="muted">No API keys. Make one for a program:</p>
      <CreateKey />
    </>
  );
}

function CreateKey(): ReactElement {
  return <Command>tool keys create ci</Command>;
}

function NotYours(): ReactElement {
  return <p className="muted">An administrator of the account manages its keys.</p>;
}

function mayManage({ visit }: View): boolean {
  return allows(visit.signedIn.scopes, "admin");
}
