import { startInBackground } from "../../client/background-process.ts";
import { DAY_MS } from "../../system/durations.ts";
import type { Context } from "../context.ts";
import { olderThan, VERSION } from "../version.ts";
import { isRelease, readNewest, writeNewest } from "./newest.ts";

/**
 * Announces a newer version at a terminal, once a day. A background process has looked it up before, so that no
 * command waits for that. Does nothing if the settings or the environment turn it off.
 */
export function tellOfUpdate({ io, settings, clock }: Context): void {
  if (settings.updateNotice.value === "off") return;
  const { cache } = settings.directories;
  const known = readNewest(cache);
  const now = clock.now();
  const isDue = (at: number | undefined) => at === undefined || Math.abs(now - at) >= DAY_MS;
  const asks = isDue(known?.askedAt);
  const version = known?.version;
  const tells = isRelease(version) && olderThan(VERSION, version) && isDue(known?.toldAt);
  if (!asks && !tells) return;
  // Written first, so that parallel commands do not all ask.
  writeNewest(cache, {
    ...known,
    askedAt: asks ? now : (known?.askedAt ?? now),
    ...(tells && { toldAt: now }),
  });
  if (tells) {
    const { style } = io.err;
    io.err.line(
      `  ${style.yellow(`toolplane ${version} is out`)}, this is ${VERSION}: ${style.cyan("npm install --global toolplane@latest")}`,
    );
    io.err.line(`  ${style.dim("No such notice: tool config set updateNotice off")}`);
  }
  if (asks) startInBackground([...io.program, "_update"], { ...io.environment, TOOL_TOKEN: undefined });
}
