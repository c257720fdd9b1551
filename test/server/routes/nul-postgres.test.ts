import { expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { hiddenFields, visitor } from "../../web/support/visitor.ts";

/** Returns a cursor as lists make it from their place. */
function cursorAt(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

it("on PostgreSQL, which cannot hold NUL, whatever asks for it is a bad request", async () => {
  const app = await startApp({ databaseUrl: await createDatabase() });
  const { account } = (await app.request("GET", "/api/v1/account")).body;
  const path = `/api/v1/accounts/${account.id}/sign-in-link`;
  const link = (await app.request("POST", path, { body: {} })).body.signInLink;
  const browser = visitor(app.url);
  await browser.send(await browser.get(link), "/sign-in");
  expect((await browser.get("/keys")).status).toBe(200);

  const answers: [string, number][] = [];
  for (const id of ["\0", "\ud800"]) {
    for (const asked of [
      `/api/v1/keys?cursor=${cursorAt(["", id])}`,
      `/api/v1/account/export?cursor=${cursorAt([null, 0, id])}`,
    ]) {
      answers.push([asked, (await app.request("GET", asked)).status]);
    }
  }
  for (const page of [
    "/keys?key",
    "/keys?after",
    "/keys?account",
    "/audit?by",
    "/audit?of",
    "/usage?project",
  ]) {
    answers.push([page, (await browser.get(`${page}=a%00b`)).status]);
  }
  const { form_token = "" } = hiddenFields((await browser.get("/keys")).html, "/keys");
  const form = `form_token=${form_token}&do=revoke&key=a%00b`;
  answers.push([form, (await browser.post("/keys", form)).status]);
  expect(answers.filter(([, status]) => status !== 400)).toEqual([]);
});
