import { expect } from "vitest";
import type { z } from "zod";
import type { agentMemoryContract } from "../../../src/tools/agent-memory/contract.ts";
import { type RequestOptions, startApp, type TestApp, type TestResponse } from "../../support/app.ts";

export const ROOT = "/api/v1/tools/agent-memory";

type Contract = typeof agentMemoryContract;
type Items = z.infer<Contract["recall"]["output"]>["items"];

export interface TestMemory {
  app: TestApp;
  send(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  store(
    content: string,
    more?: Record<string, unknown>,
  ): Promise<z.infer<Contract["store"]["output"]> & { status: number }>;
  recall(q: string, query?: string): Promise<Items>;
  /** Returns the contents in the order of the answer. */
  recalled(q: string, query?: string): Promise<string[]>;
  stats(): Promise<z.infer<Contract["stats"]["output"]>>;
}

/** Starts a server, and returns access to the memory of one project. */
export async function openMemory(
  options: RequestOptions & { clock?: NonNullable<Parameters<typeof startApp>[0]>["clock"] } = {},
): Promise<TestMemory> {
  const { clock, ...request } = options;
  const app = await startApp(clock ? { clock } : {});
  const send: TestMemory["send"] = (method, path, more = {}) =>
    app.request(method, ROOT + path, { ...request, ...more });
  const done = async (method: string, path: string, body?: unknown) => {
    const response = await send(method, path, body === undefined ? {} : { body });
    expect(response.status, response.text).toBeLessThan(300);
    return response;
  };
  const memory: TestMemory = {
    app,
    send,
    async store(content, more = {}) {
      const { body, status } = await done("POST", "/store", { content, ...more });
      return { ...body, status };
    },
    recall: async (q, query = "") =>
      (await done("GET", `/recall?q=${encodeURIComponent(q)}${query && `&${query}`}`)).body.items,
    recalled: async (q, query) => (await memory.recall(q, query)).map(({ memory: { content } }) => content),
    stats: async () => (await done("GET", "/stats")).body,
  };
  return memory;
}
