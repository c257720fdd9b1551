import { expect } from "vitest";
import type { z } from "zod";
import type { Caller } from "../../../src/contract/caller.ts";
import type { Store } from "../../../src/store/store.ts";
import { learningContract } from "../../../src/tools/learning/contract.ts";
import { learningCollections } from "../../../src/tools/learning/documents.ts";
import { changeParticipation } from "../../../src/tools/learning/participation.ts";
import { createLearning } from "../../../src/tools/learning/service.ts";
import type { TestApp, TestResponse } from "../../support/app.ts";
import { type FakeClock, fakeClock } from "../../support/clock.ts";
import { seededRandom } from "../../support/random.ts";
import { openTestStore } from "../../support/store.ts";

export const ROOT = "/api/v1/tools/learning";

type Contract = typeof learningContract;
export type Benchmarked = z.infer<Contract["benchmark"]["output"]>;
export type Insight = z.infer<Contract["insights"]["output"]>["items"][number];

export interface Measured {
  value: number;
  type?: string;
  unit?: string | undefined;
  context?: { language?: string; size?: string | number };
}

/** The handlers on a new store, without a server. A project is named `account/project`. */
export interface TestLearning {
  store: Store;
  clock: FakeClock;
  optIn(...projects: string[]): Promise<void>;
  optOut(...projects: string[]): Promise<void>;
  /** Reports a measurement: a number is the seconds of a build. */
  measure(project: string, measured: number | Measured): Promise<Benchmarked>;
  insight(project: string, type?: string): Promise<Insight>;
  share(project: string, pattern?: object): Promise<z.infer<Contract["pattern"]["output"]>>;
}

export async function openLearning(names: string[] = []): Promise<TestLearning> {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: learningCollections });
  const random = seededRandom(clock);
  const service = createLearning({ store, clock, random, namesOf: async () => names });
  const { benchmark, insights, pattern } = learningContract;
  const change = async (projects: string[], takesPart: boolean) => {
    for (const project of projects) {
      const options = { takesPart, now: clock.now(), chance: random.bytes(32) };
      await store.transact((tx) => changeParticipation(tx, callerOf(project), options));
    }
  };
  return {
    store,
    clock,
    optIn: (...projects) => change(projects, true),
    optOut: (...projects) => change(projects, false),
    async measure(project, measured) {
      clock.advance(1000);
      const given = typeof measured === "number" ? { value: measured } : measured;
      const input = benchmark.input.parse({ type: "build_duration", unit: "s", ...given });
      return benchmark.output.parse(await service.benchmark(input, callerOf(project)));
    },
    async insight(project, type = "build_duration") {
      const found = await service.insights(insights.input.parse({ type }), callerOf(project));
      return insights.output.parse(found).items[0] as Insight;
    },
    async share(project, said = {}) {
      clock.advance(1000);
      const whole = { title: "Cache the build", description: "It is faster.", category: "build", ...said };
      return pattern.output.parse(await service.pattern(pattern.input.parse(whole), callerOf(project)));
    },
  };
}

function callerOf(project: string): Caller {
  const [accountId, projectId] = project.split("/");
  return { accountId, projectId } as Caller;
}

/** Opts in `count` projects, each of its own account unless one is named. */
export async function participants(
  learning: TestLearning,
  count: number,
  { account, from = 0 }: { account?: string; from?: number } = {},
): Promise<string[]> {
  const projects = Array.from({ length: count }, (_, index) => {
    const number = from + index;
    return `${account ?? `acc${number}`}/project${number}`;
  });
  await learning.optIn(...projects);
  return projects;
}

/** Returns functions that call the tool over HTTP as a project of the owner's account. */
export function projectOf(app: TestApp, id: string, key?: string) {
  const options = { headers: { "X-Project-Id": id }, ...(key !== undefined && { key }) };
  const done = async (answer: Promise<TestResponse>) => {
    const response = await answer;
    expect(response.status, response.text).toBeLessThan(300);
    return response.body;
  };
  return {
    set: (learningOptIn: boolean) =>
      done(app.request("PUT", `/api/v1/projects/${id}`, { ...options, body: { learningOptIn } })),
    measure: (value: number, more: object = {}): Promise<Benchmarked> =>
      done(
        app.request("POST", `${ROOT}/benchmark`, {
          ...options,
          body: { type: "build_duration", value, unit: "s", ...more },
        }),
      ),
    insights: (query = ""): Promise<{ items: Insight[] }> =>
      done(app.request("GET", `${ROOT}/insights${query}`, options)),
    share: (pattern: object) => done(app.request("POST", `${ROOT}/pattern`, { ...options, body: pattern })),
    send: (method: string, path: string, body?: unknown) =>
      app.request(method, ROOT + path, { ...options, ...(body !== undefined && { body }) }),
  };
}
