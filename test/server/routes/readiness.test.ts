import { describe, expect, it } from "vitest";
import { createReadiness } from "../../../src/server/routes/readiness.ts";
import { StoreUnavailable } from "../../../src/store/store.ts";
import { createLog } from "../../../src/system/log.ts";
import { startOnFaultyDisk } from "../../hardness/app-on-store.ts";
import { recordingLog } from "../../store/json-file/directory.ts";
import { startApp } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";

/** Creates a readiness check whose parts the test controls. */
function service() {
  const can = { read: true, write: true, compute: true, growth: true };
  const tried = { ping: 0, probe: 0 };
  const clock = fakeClock();
  const { log, lines } = recordingLog();
  const orFail = async (able: boolean) => {
    if (!able) throw new StoreUnavailable("away", { cause: new Error("no space left") });
  };
  const readiness = createReadiness({
    store: {
      ping: () => orFail(++tried.ping > 0 && can.read),
      probe: () => orFail(++tried.probe > 0 && can.write),
    },
    compute: { accepting: () => can.compute },
    growth: { canGrow: () => can.growth },
    clock,
    log,
  });
  const ask = () => {
    clock.advance(1000);
    return readiness();
  };
  return { can, tried, clock, readiness, ask, lines };
}

describe("readiness", () => {
  it("tells which of reading, writing, computing and growing work", async () => {
    const { can, ask } = service();
    expect(await ask()).toEqual({ status: "ready", read: true, write: true, compute: true, growth: true });
    for (const what of ["read", "write", "compute", "growth"] as const) {
      can[what] = false;
      expect(await ask()).toMatchObject({ status: "degraded", [what]: false });
      can[what] = true;
    }
    expect(await ask()).toMatchObject({ status: "ready" });
  });

  it("tries the store at most once a second", async () => {
    const { tried, clock, readiness } = service();
    await Promise.all(Array.from({ length: 100 }, () => readiness()));
    clock.advance(999);
    await readiness();
    expect(tried).toEqual({ ping: 1, probe: 1 });
    clock.advance(1);
    await readiness();
    expect(tried).toEqual({ ping: 2, probe: 2 });
  });

  it("gives up after five seconds on a store that does not answer", async () => {
    const clock = fakeClock();
    const never = () => new Promise<void>(() => {});
    const readiness = createReadiness({
      store: { ping: async () => {}, probe: never },
      compute: { accepting: () => true },
      clock,
      log: createLog("silent"),
    });
    const asked = readiness();
    await new Promise(setImmediate);
    clock.advance(5000);
    expect(await asked).toMatchObject({ status: "degraded", read: true, write: false });
  });

  it("logs each change once", async () => {
    const { can, ask, lines } = service();
    await ask();
    can.write = false;
    await ask();
    await ask();
    can.write = true;
    await ask();
    await ask();
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ["warn", "the service is degraded"],
      ["info", "the service is ready"],
    ]);
  });

  it("logs the cause", async () => {
    const { can, ask, lines } = service();
    can.write = false;
    await ask();
    expect(lines.map(({ details }) => details)).toMatchObject([
      { write: false, because: "away (no space left)" },
    ]);
  });
});

describe("GET /ready", () => {
  it("answers 200 without a credential while all is well", async () => {
    const app = await startApp();
    const { status, body } = await app.request("GET", "/ready", { key: null });
    expect([status, body]).toEqual([
      200,
      { status: "ready", read: true, write: true, compute: true, growth: true },
    ]);
  });

  it("answers 503 while the disk is full, even without a write, and recovers by itself", async () => {
    const { files, store, app } = await startOnFaultyDisk();
    const ready = async () => {
      const response = await fetch(`${app.url}/ready`);
      const { read, write } = (await response.json()) as { read: boolean; write: boolean };
      return [response.status, read, write, response.headers.get("retry-after")];
    };
    expect(await ready()).toEqual([200, true, true, null]);
    // A small group still fits, but nothing larger.
    files.free = 4096;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await ready()).toEqual([503, true, false, "1"]);
    files.free = Number.POSITIVE_INFINITY;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await ready()).toEqual([200, true, true, null]);
    await app.close();
    await store.close();
  });
});
