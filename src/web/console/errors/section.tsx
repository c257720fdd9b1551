import { Problem } from "../../../contract/problem.ts";
import { iso } from "../../../system/clock.ts";
import { DAY_MS } from "../../../system/durations.ts";
import type { observabilityContract } from "../../../tools/observability/contract.ts";
import { type ErrorGroup, SORTS, STATES } from "../../../tools/observability/groups/contract.ts";
import { addressOf } from "../frame/address.ts";
import { choice, type EndpointCalls, queryParam } from "../frame/endpoint-calls.ts";
import { Live } from "../frame/live.tsx";
import { firstOf, needOf } from "../frame/need-of.ts";
import { Titled } from "../frame/pages.tsx";
import type { Actions, Need, Section, View } from "../frame/section.ts";
import { ErrorList, Errors, NoErrors, PATH } from "./list.tsx";
import { OneError } from "./one.tsx";

export type ProjectErrors = EndpointCalls<typeof observabilityContract>;

const ON_CARD = 3;
const ON_PAGE = 50;
const MAX_LOOKED_AT = 20;

/** Creates the section of a project's errors, to find, inspect, resolve and ignore them. */
export function errorsSection(errors: ProjectErrors): Section {
  return {
    path: PATH,
    title: "Errors",
    group: "Tools",
    async card(view) {
      const { items } = await errors.errors({ state: "open", limit: ON_CARD }, view);
      return items.length === 0 ? <NoErrors view={view} /> : <ErrorList items={items} view={view} />;
    },
    async needs(view) {
      const since = view.now - DAY_MS;
      const [recent, seen] = await Promise.all([
        errors.errors({ state: "open", sort: "firstSeen", limit: MAX_LOOKED_AT }, view),
        errors.errors({ state: "open", sort: "lastSeen", limit: MAX_LOOKED_AT }, view),
      ]);
      const isNew = ({ firstSeenAt }: ErrorGroup) => Date.parse(firstSeenAt) >= since;
      const isBack = ({ regressedAt }: ErrorGroup) => Date.parse(regressedAt ?? "") >= since;
      const fresh = recent.items.filter(isNew);
      const back = seen.items.filter(isBack);
      return [
        ...needsOf("new", fresh, fresh.length === MAX_LOOKED_AT, { sort: "firstSeen" }),
        ...needsOf("back after it was resolved", back, seen.items.length === MAX_LOOKED_AT, {}),
      ];
    },
    async page(view) {
      const fingerprint = queryParam(view, "id");
      if (fingerprint !== undefined) {
        const { error } = await errors.showError({ fingerprint }, view);
        return (
          <Titled name={error.type}>
            <Live name="error" className="stack">
              <OneError error={error} view={view} />
            </Live>
          </Titled>
        );
      }
      const found = await errors.errors(questionOf(view), view);
      return (
        <Errors view={view}>
          <Live name="errors" className="stack">
            <ErrorList {...found} view={view} paged />
          </Live>
        </Errors>
      );
    },
    actions: {
      resolve: decision("resolved", (fingerprints, view) => errors.resolveErrors({ fingerprints }, view)),
      "resolve-next": decision("resolved for the next release", (fingerprints, view) =>
        errors.resolveErrors({ fingerprints, inNextRelease: true }, view),
      ),
      ignore: decision("ignored", (fingerprints, view) => errors.ignoreErrors({ fingerprints }, view)),
      "ignore-week": decision("ignored for a week", (fingerprints, view) =>
        errors.ignoreErrors({ fingerprints, until: iso(view.now + 7 * DAY_MS) }, view),
      ),
      async reopen(view, form) {
        const fingerprints = fingerprintsIn(form);
        await errors.reopenErrors({ fingerprints }, view);
        return { said: `${inWords(fingerprints)} open again.` };
      },
      async delete(view, form) {
        const fingerprints = fingerprintsIn(form);
        for (const fingerprint of fingerprints) await errors.deleteError({ fingerprint }, view);
        return { said: `${inWords(fingerprints)} deleted.`, next: addressOf(view, PATH) };
      },
    },
  };
}

/** Returns an action that decides the errors that a form names, and that can be undone. */
function decision(
  what: string,
  decide: (fingerprints: string[], view: View) => Promise<unknown>,
): Actions[string] {
  return async (view, form) => {
    const fingerprints = fingerprintsIn(form);
    await decide(fingerprints, view);
    return {
      said: `${inWords(fingerprints)} ${what}.`,
      undo: { do: "reopen", ...Object.fromEntries(fingerprints.map((each) => [each, "on"])) },
    };
  };
}

/** @param isFull whether they come from a full page, which others may follow. */
function needsOf(what: string, found: readonly ErrorGroup[], isFull: boolean, query: Need["asked"]): Need[] {
  return needOf(
    { items: found, ...(isFull && { nextCursor: "more" }) },
    ({ type, message, fingerprint }) => ({
      said: `An error is ${what}: ${type}`,
      detail: message.slice(0, 120),
      asked: { id: fingerprint },
    }),
    (count, groups) => ({
      said: count === "1 or more" ? `Errors are ${what}` : `${count} errors are ${what}`,
      detail: firstOf(groups, ({ type }) => type),
      asked: query,
    }),
  );
}

/** Parses the filters of the address. The default is open errors. */
function questionOf(view: View) {
  const state = choice(view, "state", [...STATES, "all"]) ?? "open";
  return {
    state: state === "all" ? undefined : state,
    query: queryParam(view, "query")?.slice(0, 200),
    release: queryParam(view, "release")?.slice(0, 200),
    environment: queryParam(view, "environment")?.slice(0, 200),
    sort: choice(view, "sort", SORTS),
    limit: ON_PAGE,
    cursor: queryParam(view, "after"),
  };
}

/** Returns the errors that a form names. Each has a field of its own, since no field may repeat. */
function fingerprintsIn(form: URLSearchParams): string[] {
  const fingerprints = [...form.keys()].filter((name) => name.startsWith("err_"));
  if (fingerprints.length > 0) return fingerprints;
  throw new Problem("invalid_request", "Choose an error first.");
}

function inWords(fingerprints: readonly string[]): string {
  return fingerprints.length === 1 ? "The error is" : `${fingerprints.length} errors are`;
}
