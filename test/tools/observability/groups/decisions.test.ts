import { describe, expect, it } from "vitest";
import { fakeClock } from "../../../support/clock.ts";
import { startReporting, thrown } from "../reporting.ts";

const ROOT = "/api/v1/tools/observability/errors";
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

async function start() {
  const clock = fakeClock();
  const app = await startReporting({ clock });
  const place = await app.placeOf();
  const seen = async (message: string, more: object = {}) => {
    clock.advance(1000);
    const { status, text } = await app.report(place, { ...thrown("Error", message), ...more });
    expect(status, text).toBe(200);
  };
  const post = async (what: string, body: object, status = 200) => {
    clock.advance(1000);
    const answer = await app.request("POST", `${ROOT}/${what}`, { body });
    expect(answer.status, answer.text).toBe(status);
    return answer.body;
  };
  const only = async (query = "") => {
    const [error] = await app.errors(query);
    return error;
  };
  return { ...app, clock, seen, post, only };
}

describe("a resolved error", () => {
  it("reopens as regressed when it occurs again", async () => {
    const { seen, post, only, clock } = await start();
    await seen("broken");
    const { fingerprint, state } = await only();
    expect(state).toBe("open");
    const { items } = await post("resolve", { fingerprints: [fingerprint] });
    expect(items).toMatchObject([
      { state: "resolved", count: 1, decision: { by: expect.stringMatching(/^usr_/) } },
    ]);
    expect(await only("state=resolved")).toMatchObject({ fingerprint, state: "resolved" });
    expect(await only("state=open")).toBeUndefined();
    await seen("broken");
    expect(await only("state=open")).toMatchObject({
      state: "open",
      count: 2,
      regressedAt: new Date(clock.now()).toISOString(),
    });
    expect(await only()).not.toHaveProperty("decision");
  });

  it("stays resolved if an earlier occurrence is reported late", async () => {
    const { seen, post, only, clock } = await start();
    await seen("broken");
    const before = clock.now() / 1000;
    await post("resolve", { fingerprints: [(await only()).fingerprint] });
    await seen("broken", { timestamp: before });
    expect(await only()).toMatchObject({ state: "resolved", count: 2 });
  });

  it("in the next release reopens in a new release, but not in one known to the project", async () => {
    const { seen, post, only } = await start();
    await seen("broken", { release: "shop@1" });
    await seen("another", { release: "shop@2" });
    const { fingerprint } = await only("query=broken");
    await post("resolve", { fingerprints: [fingerprint], inNextRelease: true });
    for (const release of ["shop@1", "shop@2"]) {
      await seen("broken", { release });
      expect(await only("query=broken"), release).toMatchObject({ state: "resolved" });
    }
    await seen("broken", { release: "shop@3" });
    const error = await only("query=broken");
    expect(error).toMatchObject({ state: "open", regressedAt: expect.any(String) });
    expect(error.releases.map(({ name }: { name: string }) => name)).toEqual(["shop@1", "shop@2", "shop@3"]);
  });

  it("cannot be resolved in the next release (422) if it was seen in no release", async () => {
    const { seen, post, only } = await start();
    await seen("broken");
    const { fingerprint } = await only();
    const problem = await post("resolve", { fingerprints: [fingerprint], inNextRelease: true }, 422);
    expect(problem.detail).toContain("Sentry.init({ release })");
    expect(await only()).toMatchObject({ state: "open" });
  });

  it("reopens as regressed in the 90 days after it was last seen, and then is forgotten and new", async () => {
    const { seen, post, only, clock } = await start();
    for (const word of ["forgotten", "known"]) await seen(word);
    const { fingerprint, lastSeenAt } = await only("query=forgotten");
    await post("resolve", { fingerprints: [(await only("query=known")).fingerprint, fingerprint] });
    const end = Date.parse(lastSeenAt) + 90 * DAY;
    clock.advance(end - 2000 - clock.now());
    expect(await only("query=forgotten")).toMatchObject({ fingerprint, state: "resolved" });
    await seen("known");
    expect(await only("query=known")).toMatchObject({ count: 2, regressedAt: expect.any(String) });
    clock.advance(end - clock.now());
    expect(await only("query=forgotten")).toBeUndefined();
    await seen("forgotten");
    const again = await only("query=forgotten");
    expect(again).toMatchObject({ fingerprint, state: "open", count: 1 });
    expect(again).not.toHaveProperty("regressedAt");
  });
});

describe("an ignored error", () => {
  it("is counted and stays ignored if no condition was given", async () => {
    const { seen, post, only } = await start();
    await seen("noise");
    await post("ignore", { fingerprints: [(await only()).fingerprint] });
    for (let time = 0; time < 5; time++) await seen("noise");
    expect(await only()).toMatchObject({ state: "ignored", count: 6 });
  });

  it("reopens after the given number of further occurrences", async () => {
    const { seen, post, only } = await start();
    await seen("noise");
    await post("ignore", { fingerprints: [(await only()).fingerprint], more: 2 });
    await seen("noise");
    expect(await only()).toMatchObject({ state: "ignored", decision: { untilCount: 3 } });
    await seen("noise");
    expect(await only()).toMatchObject({ state: "open", count: 3 });
    expect(await only()).not.toHaveProperty("regressedAt");
  });

  it("reopens at the given time without another occurrence", async () => {
    const { seen, post, only, clock } = await start();
    await seen("noise");
    const { fingerprint } = await only();
    const until = new Date(clock.now() + DAY).toISOString();
    await post("ignore", { fingerprints: [fingerprint], until });
    expect(await only()).toMatchObject({ state: "ignored", decision: { until } });
    clock.advance(DAY);
    expect(await only("state=open")).toMatchObject({ fingerprint, state: "open" });
    await post("ignore", { fingerprints: [fingerprint], until }, 400);
  });
});

describe("errors", () => {
  it("are resolved and reopened together, all or none", async () => {
    const { seen, post, errors } = await start();
    for (const word of ["alpha", "beta", "gamma"]) await seen(word);
    const fingerprints = (await errors()).map(({ fingerprint }) => fingerprint);
    await post("resolve", { fingerprints: [...fingerprints, `err_${"0".repeat(24)}`] }, 404);
    expect((await errors()).map(({ state }) => state)).toEqual(["open", "open", "open"]);
    const { items } = await post("resolve", { fingerprints: [...fingerprints, ...fingerprints] });
    expect(items).toHaveLength(3);
    expect(await errors("state=resolved")).toHaveLength(3);
    await post("reopen", { fingerprints: fingerprints.slice(1) });
    expect((await errors()).map(({ state }) => state)).toEqual(["resolved", "open", "open"]);
    await post("resolve", { fingerprints: Array.from({ length: 101 }, () => fingerprints[0]) }, 400);
  });

  it("are deleted with their details, and new when they occur again", async () => {
    const { request, seen, only, errors } = await start();
    await seen("gone");
    const { fingerprint } = await only();
    expect((await request("DELETE", `${ROOT}/${fingerprint}`)).body).toEqual({ deleted: fingerprint });
    expect(await errors()).toEqual([]);
    expect((await request("DELETE", `${ROOT}/${fingerprint}`)).status).toBe(404);
    await seen("gone");
    const { body } = await request("GET", `${ROOT}/${fingerprint}`);
    expect(body.error).toMatchObject({ count: 1, occurrences: [{}] });
    expect(body.error.occurrences).toHaveLength(1);
  });

  it("cannot be changed with a read-only key or from another account or project", async () => {
    const { request, seen, only, key, account } = await start();
    await seen("mine");
    const { fingerprint } = await only();
    const other = await account("team");
    const body = { fingerprints: [fingerprint] };
    for (const what of ["resolve", "ignore", "reopen"]) {
      const path = `${ROOT}/${what}`;
      expect((await request("POST", path, { key: await key(["read"]), body })).status).toBe(403);
      expect((await request("POST", path, { key: other.token, body })).status).toBe(404);
    }
    const path = `${ROOT}/${fingerprint}`;
    expect((await request("DELETE", path, { key: await key(["read"]) })).status).toBe(403);
    for (const method of ["GET", "DELETE"]) {
      expect((await request(method, path, { key: other.token })).status).toBe(404);
      const headers = { "X-Project-Id": "another" };
      expect((await request(method, path, { headers })).status).toBe(404);
    }
    expect(await only()).toMatchObject({ state: "open" });
  });
});
