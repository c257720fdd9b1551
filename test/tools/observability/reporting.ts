import {
  OWNER_KEY,
  type RequestOptions,
  startApp,
  type TestApp,
  type TestResponse,
} from "../../support/app.ts";

const ROOT = "/api/v1/tools/observability";

/** Where a program reports its errors, and how it shows that it may. */
export interface ReportingPlace {
  dsn: string;
  key: string;
  number: string;
}

/** A server, and who reports errors to a project of it or looks at them. */
export interface Reporting extends TestApp {
  placeOf(options?: RequestOptions): Promise<ReportingPlace>;
  /** Sends an event as Sentry's SDKs do. */
  report(place: ReportingPlace, event: object, headers?: Record<string, string>): Promise<TestResponse>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  errors(query?: string, options?: RequestOptions): Promise<any[]>;
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

/** An event with one exception; calls by name, the outermost first. */
export function thrown(type: string, value: string, calls: readonly string[] = []): object {
  const frames = calls.map((name) => ({
    function: name,
    filename: `src/${name}.js`,
    lineno: 3,
    in_app: true,
  }));
  return { exception: { values: [{ type, value, stacktrace: { frames } }] } };
}

/** Bytes, as a program without this test's conveniences sends them. */
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
