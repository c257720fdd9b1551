import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect } from "vitest";
import type { TestApp } from "../../support/app.ts";

/** Decides as a person would on the verification page, through the API. */
export async function decide(app: TestApp, userCode: string, decision: "approve" | "deny"): Promise<void> {
  const { status } = await app.request("POST", `/api/v1/device-authorizations/${userCode}`, {
    body: { decision },
  });
  expect(status).toBe(200);
}

// Shortens the polling interval of the command line from five seconds to one. The user agent is checked, since servers
// for tests of other clients may run later in this process. test/client/sign-in/device-login.test.ts covers that the
// client respects the interval.
subscribe("http.server.request.start", (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  if (request.url !== "/auth/device/code" || !request.headers["user-agent"]?.startsWith("toolplane/")) return;
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
  response.end = ((body?: unknown, ...more: unknown[]) =>
    end(String(body ?? "").replace('"interval":5', '"interval":1'), ...more)) as ServerResponse["end"];
});
