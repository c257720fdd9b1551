import { expect, it } from "vitest";
import { OWNER_KEY } from "../../support/app.ts";
import { startServe } from "../../support/serve.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { envelopeOf } from "./reporting.ts";

it.each([
  ["a long message", { type: "Long", value: "x".repeat(200_000) }],
  [
    "many frames",
    { type: "Deep", stacktrace: { frames: Array(3000).fill({ filename: "a.js", lineno: 1 }) } },
  ],
])("the installed server records a large report with %s", async (_, exception) => {
  const { url } = await startServe(["--data", temporaryDirectory()]);
  const headers = { Authorization: `Bearer ${OWNER_KEY}` };
  // biome-ignore lint/suspicious/noExplicitAny: answers are read without their types
  const ask = async (path: string, init: RequestInit = { headers }): Promise<any> => {
    const response = await fetch(`${url}${path}`, init);
    expect([response.status, await response.clone().text()]).toEqual([200, expect.anything()]);
    return response.json();
  };
  const { errorTracking } = await ask("/api/v1/tools/observability/config");
  const { username, pathname } = new URL(errorTracking.dsn);
  await ask(`/api${pathname}/envelope/?sentry_key=${username}`, {
    method: "POST",
    body: envelopeOf({ exception: { values: [exception] } }),
  });
  const { items } = await ask("/api/v1/tools/observability/errors");
  expect(items).toMatchObject([{ type: exception.type, count: 1 }]);
});
