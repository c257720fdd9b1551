import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadCatalogue } from "../../../src/metering/plans.ts";
import { startApp } from "../../support/app.ts";
import { browserOn } from "../../support/browsing.ts";
import { temporaryDirectory } from "../../support/store.ts";

it("the form of an account's plans names those that the plans file no longer has, and sets no others unasked", async () => {
  const [dataDirectory, plansFile] = [temporaryDirectory(), join(temporaryDirectory(), "plans.json")];
  const app = await startApp({ dataDirectory });
  const { accountId } = await app.account("pro");
  const nextPlan = { plan: "team", at: "2126-12-15T23:59:59.999Z" };
  await app.request("PATCH", `/api/v1/accounts/${accountId}`, { body: { nextPlan } });
  await app.close();

  const tiers = loadCatalogue().tiers.filter(({ id }) => id === "free" || id === "enterprise");
  writeFileSync(plansFile, JSON.stringify({ tiers, agents: [] }));
  const again = await startApp({ dataDirectory, plansFile });
  const operator = await browserOn(again);
  const address = `/server/accounts?id=${accountId}`;
  const page = await operator.get(address);
  const chosen = [...page.html.matchAll(/<option value="(\w+)" selected="">/g)].map(([, value]) => value);
  expect(chosen).toEqual(["pro", "team"]);
  expect(page.text).toContain("pro (no longer in the plans file)");

  const send = (plan: string, next: string) =>
    operator.send(page, address, { do: "plan", plan, until: "2126-12-31", next });
  expect((await send("pro", "free")).status).toBe(400);
  expect((await send("enterprise", "team")).status).toBe(400);
  const kept = await again.app.services.accounts.get(accountId);
  expect([kept.plan, kept.nextPlan?.plan]).toEqual(["pro", "team"]);
  expect((await send("enterprise", "free")).status).toBeLessThan(400);
});
