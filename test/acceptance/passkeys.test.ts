import { expect, it } from "vitest";
import { createAuthenticator } from "../support/accounts/authenticator.ts";
import { freePort } from "../support/free-port.ts";
import { startServe } from "../support/serve.ts";
import { temporaryDirectory } from "../support/store.ts";
import { hiddenFields, visitor } from "../web/support/visitor.ts";

it("the built server lets somebody in by a passkey, without the parts of its library that read certificates", async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const settings = { "--port": String(port), "--base-url": origin, "--data": temporaryDirectory() };
  await startServe([...Object.entries(settings).flat(), "--sign-up", "open"]);
  const passkey = createAuthenticator();

  /** Returns where a new browser is led after its passkey has answered. */
  async function enter(kind: "sign-up" | "sign-in") {
    const browser = visitor(origin);
    const { form_token = "" } = hiddenFields((await browser.get("/sign-in")).html, "/sign-in");
    const send = (path: string, fields: Record<string, string>) =>
      browser.post(path, new URLSearchParams({ form_token, kind, ...fields }).toString());
    const options = JSON.parse((await send("/passkeys/ask", { name: "Ada" })).html);
    const answer =
      kind === "sign-up" ? passkey.create(options, { origin }) : passkey.get(options, { origin });
    const entered = await send("/sign-in/passkey", { answer: JSON.stringify(answer) });
    expect([entered.status, entered.location]).toEqual([303, "/"]);
    return (await browser.get("/")).text;
  }

  for (const kind of ["sign-up", "sign-in"] as const) expect(await enter(kind)).toContain("Sign out");
});
