import { onTestFinished } from "vitest";
import { type Life, serveLife } from "../../src/cli/server/demo-kept.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createRandom } from "../../src/system/random.ts";
import { temporaryDirectory } from "./store.ts";

/** What `tool demo --keep` serves, until the test is over. */
export async function startLife(): Promise<Life> {
  const random = createRandom(systemClock);
  const directory = temporaryDirectory();
  const life = await serveLife({
    clock: systemClock,
    random,
    directory,
    signal: new AbortController().signal,
  });
  onTestFinished(() => life.server.close());
  return life;
}

/** The way in as one of the people who can sign in; `operator`, `admin`, `viewer` or `owner of Paper Lantern`. */
export function wayOf({ ways }: Pick<Life, "ways">, as: string) {
  const way = ways.find((each) => each.as.startsWith(as));
  if (!way) throw new Error(`Nobody signs in as ${as}.`);
  return way;
}
