import type { pairContract } from "../../../tools/pair/contract.ts";
import { addressOf } from "../frame/address.ts";
import { choice, type EndpointCalls, queryParam } from "../frame/endpoint-calls.ts";
import { invalidChoices, LeftOut } from "../frame/filter-form.tsx";
import { Live } from "../frame/live.tsx";
import { Titled } from "../frame/pages.tsx";
import type { Section } from "../frame/section.ts";
import { NoSessions, PATH, SessionList, States } from "./list.tsx";
import { OneSession } from "./one.tsx";

export type PairSessions = Pick<EndpointCalls<typeof pairContract>, "list" | "recent" | "end">;

const ON_CARD = 3;
const ON_PAGE = 50;
const STATES = ["active", "ended"] as const;
const CHANGES = 10;

/** Creates the section of pair programming sessions: who works on what, and every change. */
export function pairSection(pair: PairSessions): Section {
  return {
    path: PATH,
    title: "Pair sessions",
    group: "Tools",
    async card(view) {
      const { items } = await pair.list({ state: "active", limit: ON_CARD }, view);
      return items.length === 0 ? <NoSessions view={view} /> : <SessionList items={items} view={view} />;
    },
    async page(view) {
      const sessionId = queryParam(view, "session");
      if (sessionId !== undefined) {
        const question = {
          sessionId,
          path: queryParam(view, "path"),
          limit: CHANGES,
          cursor: queryParam(view, "after"),
        };
        const recent = await pair.recent(question, view);
        return (
          <Titled name={recent.session.title ?? recent.session.id}>
            <Live name="session" className="stack">
              <OneSession {...recent} path={question.path} view={view} />
            </Live>
          </Titled>
        );
      }
      const state = choice(view, "state", STATES);
      const found = await pair.list({ state, limit: ON_PAGE, cursor: queryParam(view, "after") }, view);
      if (found.items.length === 0 && state === undefined) return <NoSessions view={view} />;
      return (
        <>
          <States state={state} view={view} />
          <LeftOut view={view} names={invalidChoices({ state: STATES }, view)} />
          <Live name="sessions" className="stack">
            <SessionList {...found} view={view} paged />
          </Live>
        </>
      );
    },
    actions: {
      async end(view, form) {
        const { session } = await pair.end({ sessionId: form.get("session") ?? "" }, view);
        return {
          said: "The session has ended: it can be read from now on, and not changed.",
          next: addressOf(view, PATH, { session: session.id }),
        };
      },
    },
  };
}
