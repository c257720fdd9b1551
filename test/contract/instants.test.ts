import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";

// With these offsets they lie in years that ISO 8601 writes with a sign, which no answer may hold.
const [BEYOND, BEFORE] = ["9999-12-31T23:59:59-23:59", "0000-01-01T00:00:00+23:59"];

it("a time whose year in UTC has not four digits is refused wherever it would be kept and told", async () => {
  const app = await startApp();
  const { accountId } = await app.account("pro");
  const memories = "/api/v1/tools/agent-memory/store";
  for (const [method, path, body, member] of [
    ["PATCH", `/api/v1/accounts/${accountId}`, { nextPlan: { plan: "free", at: BEYOND } }, "nextPlan.at"],
    ["POST", "/api/v1/keys", { name: "ci", scopes: ["read"], expiresAt: BEYOND }, "expiresAt"],
    ["POST", memories, { content: "The kettle is in the pantry.", at: BEFORE }, "at"],
    ["POST", memories, { content: "The kettle is in the pantry.", expiresAt: BEYOND }, "expiresAt"],
  ] as const) {
    const answer = await app.request(method, path, { body });
    expect([answer.status, answer.body.errors?.[0]?.path], `${path} ${member}`).toEqual([400, member]);
  }
  const last = "9999-12-31T23:59:59.999Z";
  const kept = await app.request("PATCH", `/api/v1/accounts/${accountId}`, {
    body: { nextPlan: { plan: "free", at: last } },
  });
  expect(kept.body.account.nextPlan.at).toBe(last);
});
