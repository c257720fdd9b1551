import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { registryOf } from "../../src/server/tools/registry.ts";
import { openStore } from "../../src/store/open.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";
import { effectsIn, type KeyedRequest, keyed, prepare, type Send } from "../support/keyed-requests.ts";
import { sendTo } from "../support/send.ts";
import { type ServeProcess, startServe } from "../support/serve.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { temporaryDirectory } from "../support/store.ts";

/** Rounds, each with a request to every endpoint that takes an `Idempotency-Key`. */
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SERVE = ["--plan", "enterprise", "--log-level", "warn"];

type Answered = Awaited<ReturnType<Send>>;

/** A request under one key, in a project of its own, and its answers. */
interface Case extends KeyedRequest {
  project: string;
  answers: Answered[];
}

/** Sends a request. Returns undefined if it was cut off. Fails if a retry waits for the claim of a killed server. */
async function ask(
  { url }: ServeProcess,
  { project, endpoint, path, body, answers }: Case,
): Promise<Answered | undefined> {
  const send = sendTo(url, { "x-project-id": project, "idempotency-key": `${project}/key` });
  const answer = await send(endpoint.method, path, body).catch(() => undefined);
  if (answer) answers.push(answer);
  return answer;
}

async function casesOf(server: ServeProcess, round: string): Promise<Case[]> {
  return Promise.all(
    keyed.map(async (endpoint, index) => {
      const project = `${round}-${index}`;
      const request = await prepare(endpoint, sendTo(server.url, { "x-project-id": project }), project);
      return { ...request, project, answers: [] };
    }),
  );
}

/** Asserts that all answers under a key are the same success of the declared shape, and all but one are replays. */
function expectOneAnswer({ endpoint, answers }: Case): void {
  const [first] = answers as [Answered, ...Answered[]];
  for (const answer of answers) {
    expect([endpoint.name, answer.status < 300, answer.status, answer.text]).toEqual([
      endpoint.name,
      true,
      first.status,
      first.text,
    ]);
    const checked: z.ZodSafeParseResult<unknown> = endpoint.output.safeParse(answer.body);
    expect(checked.error, endpoint.name).toBeUndefined();
  }
  const originals = answers.filter(({ headers }) => headers.get("idempotent-replayed") === null);
  expect(originals.length, endpoint.name).toBeLessThanOrEqual(1);
}

/** Asserts that the store holds the effects of one undisturbed request for each case. */
async function expectOneEffect(
  where: string,
  cases: readonly Case[],
  undisturbed: readonly Case[],
): Promise<void> {
  const store = await openStore(where, {
    collections: registryOf().collections,
    clock: systemClock,
    log: createLog("silent"),
  });
  const effectsOf = await effectsIn(store);
  await store.close();
  for (const { endpoint, project } of cases) {
    const model = undisturbed.find((other) => other.endpoint === endpoint) as Case;
    expect([endpoint.name, effectsOf(project)]).toEqual([endpoint.name, effectsOf(model.project)]);
  }
}

async function measurements({ url }: ServeProcess, cases: readonly Case[]): Promise<number[]> {
  const measured = cases.filter(({ endpoint }) => endpoint.name === "learning.benchmark");
  const path = "/api/v1/tools/learning/insights?type=build_duration";
  return Promise.all(
    measured.map(async ({ project }) => {
      const { body } = await sendTo(url, { "x-project-id": project })("GET", path);
      return body.items[0].trend.measurements;
    }),
  );
}

describe("a server that is killed at any time", () => {
  it("answers a repeated request with its first answer, and applies its effect once", async () => {
    const directory = temporaryDirectory();
    const start = () => startServe(["--data", directory, ...SERVE]);
    let server = await start();
    const undisturbed = await casesOf(server, "model");
    for (const each of undisturbed) await ask(server, each);
    undisturbed.forEach(expectOneAnswer);
    const disturbed: Case[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const cases = await casesOf(server, `r${round}`);
      const asked = cases.map((each) => ask(server, each));
      await new Promise((resolve) => setTimeout(resolve, (round * 37) % 150));
      await server.end("SIGKILL");
      await Promise.all(asked);
      server = await start();
      for (let times = 0; times < 2; times++) await Promise.all(cases.map((each) => ask(server, each)));
      for (const each of cases) expect(each.answers.length).toBeGreaterThanOrEqual(2);
      cases.forEach(expectOneAnswer);
      disturbed.push(...cases);
    }
    expect(new Set(await measurements(server, disturbed))).toEqual(new Set([1]));
    expect(await server.end("SIGTERM")).toBe(0);
    await expectOneEffect(directory, disturbed, undisturbed);
  });
});

describe("three servers on one database", () => {
  it("give concurrent requests with one key the same answer, and take over requests of a killed server", async () => {
    const database = await createDatabase();
    const start = () => startServe(["--database", database, ...SERVE]);
    const first = await start();
    const [second, third] = await Promise.all([start(), start()]);
    const undisturbed = await casesOf(first, "model");
    for (const each of undisturbed) await ask(first, each);
    undisturbed.forEach(expectOneAnswer);

    const together = await casesOf(first, "together");
    await Promise.all(together.flatMap((each) => [first, second, third].map((server) => ask(server, each))));
    for (const each of together) expect(each.answers).toHaveLength(3);
    together.forEach(expectOneAnswer);

    const disturbed: Case[] = [];
    let killed = third;
    for (let round = 0; round < Math.ceil(ROUNDS / 2); round++) {
      const cases = await casesOf(first, `r${round}`);
      const asked = cases.map((each) => ask(killed, each));
      await new Promise((resolve) => setTimeout(resolve, 20 + ((round * 37) % 150)));
      killed.child.kill("SIGKILL");
      await Promise.all(cases.flatMap((each) => [ask(first, each), ask(second, each)]));
      await Promise.all(asked);
      for (const each of cases) expect(each.answers.length).toBeGreaterThanOrEqual(2);
      cases.forEach(expectOneAnswer);
      disturbed.push(...cases);
      if (round + 1 < Math.ceil(ROUNDS / 2)) killed = await start();
    }
    expect(new Set(await measurements(first, [...together, ...disturbed]))).toEqual(new Set([1]));
    await expectOneEffect(database, [...together, ...disturbed], undisturbed);
  });
});
