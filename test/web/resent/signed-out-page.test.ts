import { expect, it } from "vitest";
import { formsOf } from "../support/forms.ts";
import { signedInOwner, startPages } from "../support/pages.ts";
import { visitor } from "../support/visitor.ts";

const NEW_KEY = { do: "create", name: "<b>ci</b>", may: "read", addresses: "192.0.2.1\n192.0.2.2" };

it.each([
  ["ended on the server", false],
  ["was signed out in another tab", true],
])("a form whose session %s is kept until its sender has signed in again", async (_how, inAnotherTab) => {
  const pages = await startPages();
  const browser = await signedInOwner(pages);
  const keys = await browser.get("/keys");
  if (inAnotherTab) await browser.send(await browser.get("/sign-out"), "/sign-out");
  else await pages.signIn.end(browser.cookie().split("=")[1] ?? "");

  const sameSite = { "sec-fetch-site": "same-origin" };
  const out = await browser.send(keys, "/keys", NEW_KEY, sameSite);
  expect(out.status).toBe(403);
  expect(out.text).toContain("You were signed out, and nothing was done");
  expect(formsOf(out)[0]?.hidden).toMatchObject(NEW_KEY);

  await browser.send(await browser.get(await pages.ownerLink()), "/sign-in");
  const again = await browser.send(out, "/keys", {}, sameSite);
  expect(again.text).toContain("You have signed in again since this page was made, so nothing was done.");
  expect(again.html).toContain('value="&lt;b&gt;ci&lt;/b&gt;"');
  expect(again.html).toContain("192.0.2.1\n192.0.2.2</textarea>");
  const { name, may, addresses } = NEW_KEY;
  const made = await browser.send(again, "/keys", { do: "create", name, may, addresses });
  expect(made.text).toContain("The key <b>ci</b> is made");
});

it("another site's form is not kept", async () => {
  const pages = await startPages();
  const keys = await (await signedInOwner(pages)).get("/keys");
  const refused = await visitor(pages.url).send(keys, "/keys", NEW_KEY);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("This form is out of date.")]);
});
