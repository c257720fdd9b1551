import { expect, it } from "vitest";
import { openStore } from "../../../../src/store/open.ts";
import { systemClock } from "../../../../src/system/clock.ts";
import { createDatabase } from "../../../support/services/shared-postgres.ts";
import { recordingLog } from "../../json-file/directory.ts";

it.each([
  [0, 0],
  [500, 0],
  [5000, 1],
  [-5000, 1],
])("openStore() with a clock %i ms ahead of the database's logs %i warnings", async (ahead, times) => {
  const { log, lines } = recordingLog();
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const store = await openStore(await createDatabase(), { collections: [], clock, log });
  await store.close();
  const told = lines.filter(({ details }) => details && "skewMs" in details);
  expect(told.map(({ level }) => level)).toEqual(Array.from({ length: times }, () => "warn"));
  for (const { details } of told) expect(Math.abs(Number(details.skewMs) - ahead)).toBeLessThan(1000);
});
