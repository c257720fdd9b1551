import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect } from "vitest";
import type { TestApp } from "../../support/app.ts";

/** What a person does on the verification page, over the API. */
export async function decide(app: TestApp, userCode: string, decision: "approve" | "deny"): Promise<void> {
  const { status } = await app.request("POST", `/api/v1/device-authorizations/${userCode}`, {
    body: { decision },
  });
  expect(status).toBe(200);
}

// A command that waits for an approval is told to wait one second and not five: the servers of these tests run in this
// process, in which those of other clients' tests may follow. That it waits as long as it is told to is
// test/client/sign-in/device-login.test.ts.
subscribe("http.server.request.start", (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  if (request.url !== "/auth/device/code" || !request.headers["user-agent"]?.startsWith("toolplane/")) return;
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
  response.end = ((body?: unknown, ...more: unknown[]) =>
    end(String(body ?? "").replace('"interval":5', '"interval":1'), ...more)) as ServerResponse["end"];
});
