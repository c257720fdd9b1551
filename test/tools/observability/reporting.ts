import { expect } from "vitest";
import {
  OWNER_KEY,
  type RequestOptions,
  startApp,
  type TestApp,
  type TestResponse,
} from "../../support/app.ts";

const FOUR = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-policy"];
const ROOT = "/api/v1/tools/observability";

/** The address that a program reports errors to, and its key. */
export interface ReportingPlace {
  dsn: string;
  key: string;
  number: string;
}

/** A server with functions to report errors to a project and to read them. */
export interface Reporting extends TestApp {
  placeOf(options?: RequestOptions): Promise<ReportingPlace>;
  /** Sends an event as Sentry's SDKs do. */
  report(place: ReportingPlace, event: object, headers?: Record<string, string>): Promise<TestResponse>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers without their types
  errors(query?: string, options?: RequestOptions): Promise<any[]>;
}

/** Asserts that a page of any origin may read an answer and the limits in its headers. */
export function expectForBrowsers({ headers }: TestResponse | Response): void {
  expect(headers.get("access-control-allow-origin")).toBe("*");
  for (const name of FOUR) expect(headers.get(name), name).toMatch(/^\d+(;w=\d+)?$/);
}

export async function startReporting(options: Parameters<typeof startApp>[0] = {}): Promise<Reporting> {
  const app = await startApp(options);
  return {
    ...app,
    async placeOf(options = {}) {
      const { status, body, text } = await app.request("GET", `${ROOT}/config`, options);
      if (status !== 200) throw new Error(text);
      const { dsn } = body.errorTracking;
      const { username, pathname } = new URL(dsn);
      return { dsn, key: username, number: pathname.slice(1) };
    },
    report: ({ number, key }, event, headers = {}) =>
      app.request("POST", `/api/${number}/envelope/`, {
        key: null,
        raw: envelopeOf(event),
        headers: { "X-Sentry-Auth": `Sentry sentry_version=7, sentry_key=${key}`, ...headers },
      }),
    async errors(query = "", options = {}) {
      const { status, body, text } = await app.request("GET", `${ROOT}/errors?${query}`, {
        key: OWNER_KEY,
        ...options,
      });
      if (status !== 200) throw new Error(text);
      return body.items;
    },
  };
}

export function envelopeOf(event: object): string {
  const payload = JSON.stringify(event);
  const header = { event_id: "0123456789abcdef0123456789abcdef", sent_at: "2026-01-15T12:00:00.000Z" };
  const item = { type: "event", length: Buffer.byteLength(payload) };
  return `${JSON.stringify(header)}\n${JSON.stringify(item)}\n${payload}\n`;
}

/** Returns an event with one exception. Calls are given by name, the outermost first. */
export function thrown(type: string, value: string, calls: readonly string[] = []): object {
  const frames = calls.map((name) => ({
    function: name,
    filename: `src/${name}.js`,
    lineno: 3,
    in_app: true,
  }));
  return { exception: { values: [{ type, value, stacktrace: { frames } }] } };
}

/** Sends the bytes of a report to a server. */
export function sendReport(
  url: string,
  { number, key }: ReportingPlace,
  body: Uint8Array | string,
  headers = {},
) {
  return fetch(`${url}/api/${number}/envelope/?sentry_key=${key}&sentry_version=7`, {
    method: "POST",
    body,
    headers,
  });
}
