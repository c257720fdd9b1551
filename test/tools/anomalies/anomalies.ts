import { expect } from "vitest";
import type { z } from "zod";
import type { anomaliesContract } from "../../../src/tools/anomalies/contract.ts";
import { type RequestOptions, startApp, type TestApp, type TestResponse } from "../../support/app.ts";
import { builds } from "./series.ts";

export const ROOT = "/api/v1/tools/anomalies";

type Contract = typeof anomaliesContract;
type Answer<Name extends keyof Contract> = z.infer<Contract[Name]["output"]>;
export type Anomaly = Answer<"analyze">["anomalies"][number];

/** Returns sixty builds of about 100 s, of which the one at index 50 took longer by `add`. */
export function session(add = 60): number[] {
  return builds(60, { from: 50, add: (since) => (since === 0 ? add : 0) });
}

/** A running server, and access to the anomalies of one project. */
export interface TestAnomalies {
  app: TestApp;
  send(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  analyze(metrics: object, more?: object): Promise<Answer<"analyze">>;
  history(query?: string): Promise<Answer<"history">>;
  dismiss(id: string, body?: object): Promise<TestResponse>;
  apply(id: string): Promise<TestResponse>;
  settings(): Promise<Answer<"settings">["items"]>;
  /** Analyses a session of builds, and returns its spike. */
  spike(metric?: string): Promise<Anomaly>;
}

export async function openAnomalies(
  options: RequestOptions = {},
  server: Parameters<typeof startApp>[0] = {},
): Promise<TestAnomalies> {
  const app = await startApp(server);
  const send: TestAnomalies["send"] = (method, path, more = {}) =>
    app.request(method, ROOT + path, { ...options, ...more });
  const done = async (method: string, path: string, body?: unknown) => {
    const response = await send(method, path, body === undefined ? {} : { body });
    expect(response.status, response.text).toBe(200);
    return response.body;
  };
  const analyze: TestAnomalies["analyze"] = (metrics, more = {}) =>
    done("POST", "/analyze", { metrics, ...more });
  return {
    app,
    send,
    analyze,
    history: (query = "") => done("GET", `/history${query}`),
    dismiss: (id, body = {}) => send("POST", `/dismiss/${id}`, { body }),
    apply: (id) => send("POST", `/apply/${id}`, { body: {} }),
    settings: async () => (await done("GET", "/settings")).items,
    async spike(metric = "build_seconds") {
      const { anomalies } = await analyze({ [metric]: session() });
      expect(anomalies).toMatchObject([{ kind: "spike", index: 50 }]);
      return anomalies[0] as Anomaly;
    },
  };
}
