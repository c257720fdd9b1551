/** A test process that records events endlessly and prints each id, or sends endlessly. */

import { writeSync } from "node:fs";
import { createApiClient } from "../../../src/client/api-client.ts";
import { flushQueue } from "../../../src/client/telemetry/flush-queue.ts";
import { createTelemetryQueue } from "../../../src/client/telemetry/telemetry-queue.ts";
import { systemClock as clock } from "../../../src/system/clock.ts";
import { createRandom } from "../../../src/system/random.ts";
import { tokenFromEnvironment } from "./credentials.ts";

const [role, directory = "", baseUrl = ""] = process.argv.slice(2);
const random = createRandom(clock);

if (role === "record") {
  const queue = createTelemetryQueue({ directory, clock, random });
  for (;;) {
    const recorded = queue.record({ event: "api.call" });
    if (recorded.recorded) writeSync(1, `${recorded.id}\n`);
    await clock.sleep(1);
  }
}

const api = createApiClient({ baseUrl, clock, random, credentials: tokenFromEnvironment("tak_test") });
for (;;) {
  await flushQueue({ directory, api, clock, random });
  await clock.sleep(1);
}
