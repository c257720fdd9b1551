import { type Caller, SCOPES } from "../contract/caller.ts";
import type { Work } from "../contract/compute.ts";
import { type AnyHandler, type Endpoint, Reply } from "../contract/endpoint.ts";
import { checked } from "../contract/faults.ts";
import { jobIn } from "../contract/job.ts";
import { openMemoryStore } from "../store/memory.ts";
import { systemClock } from "../system/clock.ts";
import { builtModule } from "../system/processes/built-module.ts";
import { createRandom } from "../system/random.ts";
import { isLocal, type LocalOperation, localOperation } from "./endpoints.ts";
import type { RepositoryFiles } from "./searching/searched-repository.ts";

export interface LocalRequest {
  /** Rejected unless it is a `LocalRoute`. */
  route: string;
  input: unknown;
  /** The repository whose files are searched too, if the operation supports it. */
  repository?: RepositoryFiles;
  /** The accepted media types, as in an `Accept` header. */
  accept?: string;
}

/**
 * Returns the JSON text that a server would answer, made in this process by the same handler. Its store exists only
 * for this request. Rejects with the `Problem` that the server would send.
 */
export async function answerLocally({ route, input, accept, repository }: LocalRequest): Promise<string> {
  if (!isLocal(route)) throw new Error(`${route} is not answered without a server`);
  const operation = await localOperation(route);
  if (repository) {
    const { ANSWERS } = await import("./searching/answer-in-repository.ts");
    return JSON.stringify(operation.endpoint.output.parse(await ANSWERS[route]?.(input, repository)));
  }
  const store = openMemoryStore(systemClock);
  try {
    const handler = await handlerOf(operation, store);
    const parsed = checked(operation.endpoint.input.strict(), input);
    const given = "compute" in operation.endpoint ? workOf(operation, parsed) : parsed;
    return await textOf(await handler(given as never, callerOf(accept)), operation.endpoint);
  } finally {
    await store.close();
  }
}

type MemoryStore = ReturnType<typeof openMemoryStore>;

async function handlerOf({ tool, name, ports }: LocalOperation, store: MemoryStore): Promise<AnyHandler> {
  const own = {
    store,
    clock: systemClock,
    random: createRandom(systemClock),
    // The asker sees the answer itself; there is nobody else to alert.
    raise: async () => {},
  };
  const handlers = (await tool.create({ ...own, ...ports } as never)) as Record<string, AnyHandler>;
  return handlers[name] as AnyHandler;
}

/** Runs the endpoint's job in this process, where the server would use a worker. */
function workOf({ tool, name, endpoint }: LocalOperation, input: unknown): Work {
  return {
    async run({ context, answers = {} }) {
      const job = jobIn(await import(builtModule(tool.jobs?.[name] as URL)), endpoint.name);
      if (!job) throw new Error(`there is no job of ${endpoint.name}`);
      const ask = (question: string, payload?: unknown) => {
        const answer = answers[question];
        if (!answer) throw new Error(`nobody answers the question ${question}`);
        return answer(payload as never) as Promise<never>;
      };
      return job.run(input as never, { context: context as never, ask }) as never;
    },
  };
}

async function textOf(result: unknown, endpoint: Endpoint): Promise<string> {
  if (!(result instanceof Reply)) return JSON.stringify(endpoint.output.parse(result));
  const { raw } = result.extras;
  if (raw === undefined) return JSON.stringify(endpoint.output.parse(result.body));
  if (typeof raw === "string") return raw;
  if (Buffer.isBuffer(raw)) return raw.toString();
  let text = "";
  for await (const piece of raw) text += piece;
  return text;
}

/** A caller without an account. It can only access what it sends. */
function callerOf(accept: string | undefined): Caller {
  return {
    accountId: "local",
    userId: "local",
    credential: { kind: "session", id: "local", scopes: SCOPES },
    projectId: "local",
    projectNamed: false,
    address: "",
    userAgent: "",
    requestId: "local",
    accept,
    signal: new AbortController().signal,
  };
}
