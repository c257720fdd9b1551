import { Problem } from "../../../contract/problem.ts";
import { DAY_MS } from "../../../system/durations.ts";
import type { observabilityContract } from "../../../tools/observability/contract.ts";
import { type ErrorGroup, SORTS, STATES } from "../../../tools/observability/groups/contract.ts";
import { addressOf } from "../frame/address.ts";
import { choice, type EndpointCalls, queryParam } from "../frame/endpoint-calls.ts";
import { Live } from "../frame/live.tsx";
import { firstOf, needOf } from "../frame/need-of.ts";
import { Titled } from "../frame/pages.tsx";
import type { Done, Need, Section, View } from "../frame/section.ts";
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
    act: (form, view) => act(errors, form, view),
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

async function act(errors: ProjectErrors, form: URLSearchParams, view: View): Promise<Done> {
  const fingerprints = fingerprintsIn(form);
  const what = fingerprints.length === 1 ? "The error is" : `${fingerprints.length} errors are`;
  const undo = { do: "reopen", ...Object.fromEntries(fingerprints.map((each) => [each, "on"])) };
  switch (form.get("do")) {
    case "resolve":
      await errors.resolveErrors({ fingerprints }, view);
      return { said: `${what} resolved.`, undo };
    case "resolve-next":
      await errors.resolveErrors({ fingerprints, inNextRelease: true }, view);
      return { said: `${what} resolved for the next release.`, undo };
    case "ignore":
      await errors.ignoreErrors({ fingerprints }, view);
      return { said: `${what} ignored.`, undo };
    case "ignore-week": {
      const until = new Date(view.now + 7 * DAY_MS).toISOString();
      await errors.ignoreErrors({ fingerprints, until }, view);
      return { said: `${what} ignored for a week.`, undo };
    }
    case "reopen":
      await errors.reopenErrors({ fingerprints }, view);
      return { said: `${what} open again.` };
    case "delete":
      for (const fingerprint of fingerprints) await errors.deleteError({ fingerprint }, view);
      return { said: `${what} deleted.`, next: addressOf(view, PATH) };
    default:
      throw new Problem("invalid_request", "Reload the page.");
  }
}
