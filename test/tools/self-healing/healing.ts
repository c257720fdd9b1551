import { expect } from "vitest";
import type { z } from "zod";
import type { Caller } from "../../../src/contract/caller.ts";
import { selfHealingContract } from "../../../src/tools/self-healing/contract.ts";
import { diagnoseJob } from "../../../src/tools/self-healing/diagnose-job.ts";
import { selfHealingCollections } from "../../../src/tools/self-healing/documents.ts";
import { createSelfHealing } from "../../../src/tools/self-healing/service.ts";
import { type RequestOptions, startApp, type TestApp, type TestResponse } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";
import { seededRandom } from "../../support/random.ts";
import { openTestStore } from "../../support/store.ts";
import { workOn } from "../../support/work.ts";

export const ROOT = "/api/v1/tools/self-healing";

type Contract = typeof selfHealingContract;
export type Diagnosed = z.infer<Contract["diagnose"]["output"]>;
export type HistoryItem = z.infer<Contract["history"]["output"]>["items"][number];

export const MISSING_MODULE = "Error: Cannot find module 'left-pad'\n";
export const FULL_DISK = "cp: error writing '/app/data.bin': No space left on device\n";

/** Self-healing of one project, called directly or over HTTP. */
export interface TestService {
  diagnose(log: string, more?: object): Promise<Diagnosed>;
  record(body: object): Promise<z.infer<Contract["record"]["output"]>>;
  history(query?: string): Promise<{ items: HistoryItem[]; nextCursor?: string }>;
  /** Returns the ids of the suggestions for this log, in order. */
  suggested(log: string): Promise<string[]>;
}

export interface TestHealing extends TestService {
  app: TestApp;
  send(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
}

/** Opens the handlers on a new store, without a server or worker. Each diagnosis advances the clock. */
export async function openService(): Promise<TestService> {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: selfHealingCollections });
  const service = createSelfHealing({
    store,
    clock,
    random: seededRandom(clock),
  });
  const caller = { accountId: "acc_test", projectId: "default" } as Caller;
  const contract = selfHealingContract;
  const ask: TestService["diagnose"] = async (log, more = {}) => {
    clock.advance(1000);
    const work = workOn(diagnoseJob, { log, ...more });
    return contract.diagnose.output.parse(await service.diagnose(work, caller));
  };
  return {
    diagnose: ask,
    record: async (body) =>
      contract.record.output.parse(await service.record(contract.record.input.parse(body), caller)),
    history: async (query = "") => {
      const input = contract.history.input.parse(Object.fromEntries(new URLSearchParams(query)));
      return contract.history.output.parse(await service.history(input, caller));
    },
    suggested: async (log) => (await ask(log)).suggestions.map(({ id }) => id),
  };
}

/** Starts a server, and returns access to the self-healing of one project. */
export async function openHealing(
  options: RequestOptions = {},
  server: Parameters<typeof startApp>[0] = {},
): Promise<TestHealing> {
  const app = await startApp(server);
  const send: TestHealing["send"] = (method, path, more = {}) =>
    app.request(method, ROOT + path, { ...options, ...more });
  const done = async (method: string, path: string, body?: unknown) => {
    const response = await send(method, path, body === undefined ? {} : { body });
    expect(response.status, response.text).toBeLessThan(300);
    return response.body;
  };
  const ask: TestService["diagnose"] = (log, more = {}) => done("POST", "/diagnose", { log, ...more });
  return {
    app,
    send,
    diagnose: ask,
    record: (body) => done("POST", "/record", body),
    history: (query = "") => done("GET", `/history${query}`),
    suggested: async (log) => (await ask(log)).suggestions.map(({ id }) => id),
  };
}
