import { expect } from "vitest";
import type { TestApp } from "../../support/app.ts";

/** What a person does on the verification page, over the API. */
export async function decide(app: TestApp, userCode: string, decision: "approve" | "deny"): Promise<void> {
  const { status } = await app.request("POST", `/api/v1/device-authorizations/${userCode}`, {
    body: { decision },
  });
  expect(status).toBe(200);
}
