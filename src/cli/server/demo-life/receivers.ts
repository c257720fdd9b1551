import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { ApiClient } from "../../../client/api-client.ts";
import type { RouteInput } from "../../../client/routes.ts";
import { DAY_MS, HOUR_MS } from "../../../system/durations.ts";
import type { SendPublic } from "../../../system/network/public-request.ts";
import { chanceOf } from "./chance.ts";
import type { PastClock } from "./past-clock.ts";

type NewWebhook = RouteInput<"POST /api/v1/webhooks">;

/** The webhooks of the first account, and the day on which each is created. */
const WEBHOOKS: readonly (NewWebhook & { day: number })[] = [
  {
    day: 13,
    url: "https://hooks.kestrel.example/toolplane",
    description: "The channel of whoever is on call",
  },
  {
    day: 36,
    url: "https://tickets.kestrel.example/alerts",
    description: "A ticket for each new error",
    types: ["error_group.new", "error_group.regressed", "anomaly.found"],
  },
];

/** A receiver's outage, which outlasts all retries of a delivery. */
const AWAY = { host: "tickets.kestrel.example", from: 52 * DAY_MS, until: 56 * DAY_MS + 12 * HOUR_MS };

/** Creates the webhooks of a day. */
export async function subscribe(api: ApiClient, day: number): Promise<void> {
  for (const { day: since, ...webhook } of WEBHOOKS) {
    if (since === day) await api.call("POST /api/v1/webhooks", webhook);
  }
}

/** Returns the receivers of a demo that began at `start`. They are simulated: nothing leaves this process. */
export function receivers(clock: PastClock, start: number): SendPublic {
  const chance = chanceOf(start);
  return (url, _request, read) => {
    const since = clock.now() - start;
    const isAway = url.hostname === AWAY.host && since >= AWAY.from && since < AWAY.until;
    const [statusCode, text] = isAway ? [503, "upstream connect error: connection refused"] : [200, "ok"];
    clock.pass(Math.round(chance.about(90, 0.6)));
    // Only the status, the headers and the text of an answer are read.
    const answer = Object.assign(Readable.from([Buffer.from(text)]), { statusCode, headers: {} });
    return read(answer as unknown as IncomingMessage);
  };
}
