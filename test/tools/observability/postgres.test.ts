import { describe, expect, it } from "vitest";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { startReporting, thrown } from "./reporting.ts";

describe("several servers on one PostgreSQL database", () => {
  async function openTwo() {
    const databaseUrl = await createDatabase();
    return [await startReporting({ databaseUrl }), await startReporting({ databaseUrl })] as const;
  }

  it("share one DSN key per project and accept reports with it on each server", async () => {
    const [one, two] = await openTwo();
    const places = await Promise.all([one.placeOf(), two.placeOf(), one.placeOf(), two.placeOf()]);
    expect(new Set(places.map(({ number, key }) => `${number} ${key}`)).size).toBe(1);
    const [place] = places;
    expect((await one.report(place, thrown("Error", "a"))).status).toBe(200);
    expect((await two.report(place, thrown("Error", "b"))).status).toBe(200);
    expect((await two.report({ ...place, key: "0".repeat(32) }, thrown("Error", "c"))).status).toBe(403);
    expect((await one.errors()).map(({ message }) => message)).toEqual(["b", "a"]);
    expect(await one.errors()).toEqual(await two.errors());
  });

  it("count each of the errors that are reported to both servers concurrently", async () => {
    const [one, two] = await openTwo();
    const place = await one.placeOf();
    const reports = Array.from({ length: 60 }, (_, index) =>
      (index % 2 ? one : two).report(place, thrown("Error", index % 3 ? "often" : "seldom")),
    );
    for (const { status } of await Promise.all(reports)) expect(status).toBe(200);
    const counts = (await two.errors()).map(({ message, count }) => `${message} ${count}`);
    expect(counts.sort()).toEqual(["often 40", "seldom 20"]);
    const page = await one.request("GET", "/api/v1/tools/observability/errors?limit=1");
    const next = encodeURIComponent(page.body.nextCursor);
    const rest = await two.request("GET", `/api/v1/tools/observability/errors?limit=1&cursor=${next}`);
    expect([...page.body.items, ...rest.body.items]).toEqual(await one.errors());
  });
});
