import { expect, it } from "vitest";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { FULL_DISK, MISSING_MODULE, openHealing } from "./healing.ts";

it("several servers on one PostgreSQL database share diagnoses and recorded outcomes", async () => {
  const databaseUrl = await createDatabase();
  const [one, two] = [await openHealing({}, { databaseUrl }), await openHealing({}, { databaseUrl })];
  const { fingerprint, suggestions } = await one.diagnose(FULL_DISK);
  await one.diagnose(MISSING_MODULE);
  expect((await two.diagnose(FULL_DISK)).seenBefore).toMatchObject({ count: 1 });
  const suggestionId = suggestions.at(-1)?.id as string;
  const record = { fingerprint, suggestionId, outcome: "success" };
  await Promise.all([one, two, one, two].map((server) => server.record(record)));
  for (const server of [one, two]) {
    const { suggestions, seenBefore } = await server.diagnose(FULL_DISK);
    expect(suggestions[0]).toMatchObject({ id: suggestionId, attempts: 4 });
    expect(seenBefore?.lastFix).toMatchObject({ suggestionId });
  }
  expect((await two.history("?category=disk_full")).items).toHaveLength(4);
  expect(await one.history()).toEqual(await two.history());
});
