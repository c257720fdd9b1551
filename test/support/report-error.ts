import { expect } from "vitest";

/** A server or sender of a test. */
interface Asking {
  request(
    method: string,
    path: string,
    options?: { body?: unknown; key?: null },
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers without their types
  ): Promise<{ status: number; text: string; body: any }>;
}

/** Reports an error to the sender's project, as a program does with its DSN. */
export async function reportError(app: Asking, event: object = { message: "it failed" }): Promise<void> {
  const { body } = await app.request("GET", "/api/v1/tools/observability/config");
  const { pathname, username } = new URL(body.errorTracking.dsn);
  const path = `/api${pathname}/store/?sentry_key=${username}`;
  const { status, text } = await app.request("POST", path, { body: event, key: null });
  expect(status, text).toBe(200);
}
