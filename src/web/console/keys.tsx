import type { ReactElement } from "react";
import type { ApiKeys } from "../../accounts/credentials/api-keys.ts";
import type { ApiKey } from "../../accounts/model.ts";
import { allows } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { Command } from "../command.tsx";
import { Ago, Until } from "../time.tsx";
import { Revoke } from "./revoke.tsx";
import type { Look, Section } from "./section.ts";

const ON_CARD = 3;
const ON_PAGE = 100;

/** The account's API keys, for those who may manage them. */
export function keysSection(apiKeys: Pick<ApiKeys, "list" | "revoke">): Section {
  return {
    path: "/keys",
    title: "API keys",
    async card(look) {
      if (!mayManage(look)) return <NotYours />;
      const { items } = await apiKeys.list(look.visit.signedIn.account.id, { limit: ON_CARD });
      return items.length === 0 ? <NoKeys /> : <KeyList keys={items} look={look} />;
    },
    async page(look) {
      if (!mayManage(look)) return <NotYours />;
      const cursor = look.query.get("after") ?? undefined;
      const { account } = look.visit.signedIn;
      const { items, nextCursor } = await apiKeys.list(account.id, { limit: ON_PAGE, cursor });
      if (items.length === 0) return <NoKeys />;
      return (
        <>
          <KeyList keys={items} look={look} revocable />
          {nextCursor && <a href={`/keys?${new URLSearchParams({ after: nextCursor })}`}>More keys</a>}
          <p className="muted">Another key:</p>
          <CreateKey />
        </>
      );
    },
    async act(form, look) {
      if (!mayManage(look))
        throw new Problem("forbidden", "Only an administrator of the account revokes keys.");
      await apiKeys.revoke(look.visit.signedIn.account.id, form.get("key") ?? "");
    },
  };
}

function KeyList(props: { keys: readonly ApiKey[]; look: Look; revocable?: boolean }): ReactElement {
  const { keys, look, revocable } = props;
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
                used <Ago at={key.lastUsedAt} now={look.now} />
              </>
            )}
            {key.expiresAt !== undefined && (
              <>
                {" "}
                · expires in <Until at={key.expiresAt} now={look.now} />
              </>
            )}
          </p>
          {revocable && (
            <Revoke
              action="/keys"
              visit={look.visit}
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

function mayManage({ visit }: Look): boolean {
  return allows(visit.signedIn.scopes, "admin");
}
