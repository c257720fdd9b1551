import { expect, it } from "vitest";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { openAnomalies, session } from "./anomalies.ts";

it("several servers on one PostgreSQL database learn from all sessions and decide once", async () => {
  const databaseUrl = await createDatabase();
  const [one, two] = [await openAnomalies({}, { databaseUrl }), await openAnomalies({}, { databaseUrl })];
  await Promise.all([one, two, one, two, one, two].map(({ analyze }) => analyze({ build: [100, 101] })));
  const { anomalies } = await two.analyze({ build: [400] });
  expect(anomalies[0]?.explanation).toContain("of the 12 points before");
  expect(await one.history()).toEqual(await two.history());

  const spike = await one.spike("tests");
  const both = await Promise.all([one.dismiss(spike.id), two.dismiss(spike.id), two.apply(spike.id)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const { id } = anomalies[0] as { id: string };
  const applied = await two.apply(id);
  expect(applied.status).toBe(200);
  const high: number = applied.body.changed.after.high;
  const later = await one.analyze({ build: [100, high + 1] });
  expect(later.anomalies).toMatchObject([{ explanation: expect.stringContaining("threshold") }]);
  expect((await two.analyze({ "name\u{1f642}": session() })).anomalies).toHaveLength(1);
  expect(await two.settings()).toEqual(await one.settings());
});
