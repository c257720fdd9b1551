import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Context } from "../../../src/cli/context.ts";
import { readNewest, writeNewest } from "../../../src/cli/update/newest.ts";
import { tellOfUpdate } from "../../../src/cli/update/notice.ts";
import { fakeClock } from "../../support/clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { testIo } from "../support/io.ts";

const HOUR = 60 * 60_000;

/** Sets up the end of a command, whose background program leaves a file when it is started. */
function commandEnds(version?: string, { notice = "on", askedAgo = 0 } = {}) {
  const clock = fakeClock();
  const cache = temporaryDirectory();
  const started = join(cache, "started");
  const { io, written } = testIo({ terminal: true });
  const program = [
    process.execPath,
    "-e",
    `require("node:fs").writeFileSync(${JSON.stringify(started)}, "")`,
  ];
  if (version !== undefined) writeNewest(cache, { version, askedAt: clock.now() - askedAgo });
  const settings = { updateNotice: { value: notice }, directories: { cache } };
  const tell = () => tellOfUpdate({ io: { ...io, program }, settings, clock } as unknown as Context);
  return { clock, cache, written, tell, started: () => existsSync(started) };
}

describe("the update notice", () => {
  it("is shown once a day, with the command to update", () => {
    const { tell, written, clock } = commandEnds("999.0.0");
    tell();
    expect(written.err).toContain("toolplane 999.0.0 is out");
    expect(written.err).toContain("npm install --global toolplane@latest");
    const once = written.err;
    clock.advance(23 * HOUR);
    tell();
    expect(written.err).toBe(once);
    clock.advance(HOUR);
    tell();
    expect(written.err).toBe(once + once);
    expect(written.out).toBe("");
  });

  it.each(["0.0.1", "999.0.0-beta", "999.0.0\u001b[2J", "latest"])("is not shown for %j", (version) => {
    const { tell, written } = commandEnds(version);
    tell();
    expect(written.err).toBe("");
  });

  it("starts a background process for the check once a day", async () => {
    const fresh = commandEnds("0.0.1", { askedAgo: 23 * HOUR });
    fresh.tell();
    const due = commandEnds("0.0.1", { askedAgo: 24 * HOUR });
    due.tell();
    await expect.poll(() => due.started()).toBe(true);
    expect(fresh.started()).toBe(false);
    expect(readNewest(due.cache)?.askedAt).toBe(due.clock.now());
  });

  it("is neither shown nor checked for when turned off in the settings", () => {
    const { tell, written, cache } = commandEnds(undefined, { notice: "off" });
    tell();
    expect([written.err, readNewest(cache)]).toEqual(["", undefined]);
  });
});
