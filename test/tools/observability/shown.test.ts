import { describe, expect, it } from "vitest";
import type { Caller } from "../../../src/contract/caller.ts";
import { GLOBAL, projectSpace } from "../../../src/store/store.ts";
import { observabilityCollections } from "../../../src/tools/observability/documents.ts";
import type { Source } from "../../../src/tools/observability/groups/contract.ts";
import { detailsOf, groupOf } from "../../../src/tools/observability/groups/shown.ts";
import { record } from "../../../src/tools/observability/record.ts";
import { createObservability } from "../../../src/tools/observability/service.ts";
import { fakeClock } from "../../support/clock.ts";
import { openTestStore } from "../../support/store.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

describe("groupOf() and detailsOf()", () => {
  const now = Date.UTC(2026, 0, 15, 12, 30);
  const group = {
    ...{ source: "client" as const, type: "E", message: "m", count: 3 },
    ...{ firstSeenAt: now - DAY, lastSeenAt: now },
  };
  const day = Math.floor(now / DAY);
  const hour = Math.floor(now / HOUR);
  const details = {
    hourly: { from: hour - 1, counts: [2, 1] },
    daily: { from: day - 13, counts: [5] },
    occurrences: [{ at: now, eventId: "i" }],
    stack: "E: m",
  };

  it("return daily counts of 14 days in a list, and of 90 days with hourly ones in details", () => {
    const listed = groupOf("e", group, details, now);
    expect(listed.daily).toEqual({ from: iso(Date.UTC(2026, 0, 2)), counts: [5, ...Array(13).fill(0)] });
    const shown = detailsOf("e", group, details, now);
    expect([shown.daily.from, shown.daily.counts.length, shown.daily.counts[76]]).toEqual([
      iso(Date.UTC(2026, 0, 15) - 89 * DAY),
      90,
      5,
    ]);
    expect(shown.hourly.from).toBe(iso(Date.UTC(2026, 0, 15, 12) - 335 * HOUR));
    expect(shown.hourly.counts.slice(-3)).toEqual([0, 2, 1]);
    expect(shown.occurrences).toEqual([{ at: iso(now), eventId: "i" }]);
    expect(detailsOf("e", group, undefined, now).occurrences).toEqual([]);
  });

  it("omit the fields of an error that are unknown", () => {
    expect(groupOf("e", group, undefined, now)).toEqual({
      ...{ fingerprint: "e", type: "E", message: "m", count: 3, source: "client", state: "open" },
      ...{ firstSeenAt: iso(now - DAY), lastSeenAt: iso(now) },
      daily: { from: iso(Date.UTC(2026, 0, 2)), counts: Array(14).fill(0) },
    });
  });

  it("include the decision on an error while it is in force", () => {
    const decision = { state: "ignored" as const, by: "usr", at: now - DAY, untilCount: 9, until: now + 1 };
    expect(groupOf("e", { ...group, decision }, details, now)).toMatchObject({
      state: "ignored",
      decision: { by: "usr", at: iso(now - DAY), untilCount: 9, until: iso(now + 1) },
    });
    expect(
      groupOf("e", { ...group, decision: { ...decision, until: now } }, details, now),
    ).not.toHaveProperty("decision");
    const resolved = { state: "resolved" as const, by: "usr", at: now, inNextRelease: true };
    expect(groupOf("e", { ...group, decision: resolved, regressedAt: now - 1 }, details, now)).toMatchObject({
      regressedAt: iso(now - 1),
      decision: { by: "usr", at: iso(now), inNextRelease: true },
    });
    const { decision: plain } = groupOf(
      "e",
      { ...group, decision: { ...resolved, inNextRelease: false } },
      details,
      now,
    );
    expect(plain).toEqual({ by: "usr", at: iso(now) });
  });
});

describe("a server error", () => {
  async function open() {
    const clock = fakeClock();
    const store = await openTestStore({ clock, collections: observabilityCollections });
    const seen = (fingerprint: string, source: Source, space: string) =>
      store.transact((tx) =>
        record(tx, space, {
          ...{ fingerprint, source, type: "E", message: "m", stack: "E: m\n    at a", count: 1 },
          ...{ firstAt: clock.now(), lastAt: clock.now() },
        }),
      );
    const own = projectSpace("acc", "one");
    await seen("err_server", "server", own);
    await seen("err_client", "client", own);
    await seen("err_nobodys", "server", GLOBAL);
    const handlers = createObservability({
      store,
      clock,
      sourceMaps: { originals: async () => [] },
    } as never);
    /** A caller with these scopes. That of `bound` is an operator's key that is bound to the project. */
    const caller = (...scopes: string[]) => {
      const credential = scopes[0] === "bound" ? { scopes: ["operator"], projectId: "one" } : { scopes };
      return { accountId: "acc", projectId: "one", userId: "usr", credential } as unknown as Caller;
    };
    const errors = async (...scopes: string[]) => {
      const { items } = (await handlers.errors(
        { limit: 9, sort: "lastSeen" } as never,
        caller(...scopes),
      )) as {
        items: { fingerprint: string; stack?: string }[];
      };
      return items
        .map(({ fingerprint, stack }) => `${fingerprint} ${stack === undefined ? "-" : "stack"}`)
        .sort();
    };
    const show = (fingerprint: string, ...scopes: string[]) =>
      handlers.showError({ fingerprint } as never, caller(...scopes)) as Promise<{ error: object }>;
    return { errors, show };
  }

  it("shows its stack to operators only, who also see errors outside of projects", async () => {
    const { errors, show } = await open();
    expect(await errors("read", "write")).toEqual(["err_client stack", "err_server -"]);
    expect(await errors("read", "operator")).toEqual([
      "err_client stack",
      "err_nobodys stack",
      "err_server stack",
    ]);
    expect((await show("err_server", "read")).error).not.toHaveProperty("stack");
    expect((await show("err_server", "operator")).error).toHaveProperty("stack");
    expect((await show("err_client", "read")).error).toHaveProperty("stack");
    expect((await show("err_nobodys", "operator")).error).toHaveProperty("stack");
    for (const who of ["read", "bound"]) {
      await expect(show("err_nobodys", who)).rejects.toMatchObject({ error: "not_found" });
    }
    expect(await errors("bound")).toEqual(["err_client stack", "err_server -"]);
  });
});
