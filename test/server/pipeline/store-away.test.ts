import { expect, it } from "vitest";
import type { Exchange } from "../../../src/server/pipeline/exchange.ts";
import { createFailure } from "../../../src/server/pipeline/failure.ts";
import { ReadOnly, StoreUnavailable } from "../../../src/store/store.ts";
import { startOnFaultyDisk } from "../../hardness/app-on-store.ts";
import { recordingLog } from "../../store/json-file/directory.ts";
import { OWNER_KEY } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";

it("createFailure() logs once in ten seconds why the store refuses writes; read-only is no failure to record", () => {
  const clock = fakeClock();
  const { log, lines } = recordingLog();
  const failed: unknown[] = [];
  const onFailed = (error: unknown) => void failed.push(error);
  const failure = createFailure({
    baseUrl: () => "https://h.example",
    clock,
    log,
    serviceName: "Acme",
    onFailed,
  });
  const ask = (requestId: string, error: Error) =>
    failure({ requestId, path: "/api/v1/track" } as Exchange, error, "problem").status;
  const full = () => new StoreUnavailable("not written", { cause: new Error("ENOSPC: no space left") });

  expect(ask("req_0", new ReadOnly("maintenance"))).toBe(503);
  expect(ask("req_0", new ReadOnly("maintenance"))).toBe(503);
  expect(lines.splice(0)).toMatchObject([
    {
      level: "warn",
      details: { because: "maintenance" },
      message: expect.stringContaining("tool data writable"),
    },
  ]);
  expect(failed).toEqual([]);
  expect(ask("req_1", full())).toBe(503);
  clock.advance(9_999);
  expect(ask("req_2", full())).toBe(503);
  clock.advance(1);
  expect(ask("req_3", full())).toBe(503);
  expect(lines.map(({ level, details }) => [level, details])).toEqual([
    ["warn", { requestId: "req_1", because: "not written (ENOSPC: no space left)" }],
    ["warn", { requestId: "req_3", because: "not written (ENOSPC: no space left)" }],
  ]);
});

it("the memory tool still recalls on a disk without a free byte", async () => {
  const { files, store, app } = await startOnFaultyDisk();
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${OWNER_KEY}`, "Content-Type": "application/json" };
    const answer = await fetch(`${app.url}/api/v1/tools/agent-memory${path}`, { ...init, headers });
    return [answer.status, (await answer.json()) as { items?: unknown[] }] as const;
  };
  const content = JSON.stringify({ content: "The ferry leaves at nine." });
  expect((await ask("/store", { method: "POST", body: content }))[0]).toBe(201);
  files.free = 0;
  const [status, { items }] = await ask("/recall?q=ferry");
  expect([status, items?.length]).toEqual([200, 1]);
  expect((await ask("/store", { method: "POST", body: content.replace("nine", "ten") }))[0]).toBe(503);
  files.free = Number.POSITIVE_INFINITY;
  await app.close();
  await store.close();
});
