import { expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { freePort } from "../../support/free-port.ts";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { hiddenFields, visitor } from "../support/visitor.ts";

it.each(["\0", "\ud800", 5, undefined])("a passkey's answer with the id %j is refused", async (id) => {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  await startApp({ port, baseUrl, databaseUrl: await createDatabase() });
  const browser = visitor(baseUrl);
  const { form_token = "" } = hiddenFields((await browser.get("/sign-in")).html, "/sign-in");
  const send = (path: string, fields: Record<string, string>) =>
    browser.post(path, new URLSearchParams({ form_token, kind: "sign-in", ...fields }).toString());
  const { challenge } = JSON.parse((await send("/passkeys/ask", {})).html);
  const clientDataJSON = Buffer.from(JSON.stringify({ type: "webauthn.get", challenge })).toString(
    "base64url",
  );
  const answer = JSON.stringify({ id, response: { clientDataJSON } });
  expect((await send("/sign-in/passkey", { answer })).status).toBe(400);
});
