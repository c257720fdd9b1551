import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Life, serveLife } from "../../../src/cli/server/demo-kept.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createRandom } from "../../../src/system/random.ts";

export interface TestLife extends Life {
  url: string;
  /** Stops the server and deletes its data. */
  close(): Promise<void>;
}

/** Starts what `tool demo --keep` serves. It takes seconds to build, so the tests of a file share one. */
export async function startLife(): Promise<TestLife> {
  const directory = await mkdtemp(join(tmpdir(), "toolplane-life-"));
  const random = createRandom(systemClock);
  const life = await serveLife({
    clock: systemClock,
    random,
    directory,
    signal: new AbortController().signal,
  });
  return {
    ...life,
    url: life.server.url,
    async close() {
      await life.server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Returns the sign-in of a person: `operator`, `admin`, `viewer` or `owner of Paper Lantern`. */
export function wayOf({ ways }: Pick<Life, "ways">, as: string) {
  const way = ways.find((each) => each.as.startsWith(as));
  if (!way) throw new Error(`Nobody signs in as ${as}.`);
  return way;
}
