import { describe, expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { OWNER } from "../../web/support/pages.ts";
import { signedInVisitor } from "../../web/support/visitor.ts";
import { user } from "../support/tool.ts";

/** Starts `tool login --web` on a server of its own, and opens its address in a signed-in browser. */
async function begin(...words: string[]) {
  const owner = { email: OWNER.email, password: OWNER.password };
  const app = await startApp({ owner });
  const { start, tool } = user({ TOOL_BASE_URL: app.url });
  const login = start(["login", "--web", "--json", ...words]);
  const [url = ""] = await login.until("stderr", /http:\S+\/auth\/authorize\?\S+/);
  const browser = await signedInVisitor(app.url, OWNER);
  const { location } = await browser.get(url.replace(app.url, ""));
  const page = await browser.get(location ?? "");
  const decide = async (decision: "approve" | "deny") =>
    new URL((await browser.send(page, "/auth/authorize", { decision })).location ?? "");
  return { app, tool, login, page, decide };
}

describe("tool login --web", () => {
  it("signs in through a browser redirect to this computer, with a token that renews", async () => {
    const { tool, login, page, decide } = await begin("--scope", "read admin");
    expect(page.text).toContain("tool command line asks to sign in Registered application tool-cli");
    expect(page.text).toMatch(/A program on this computer \(127\.0\.0\.1:\d+\)/);
    const answer = await fetch(await decide("approve"));
    expect(await answer.text()).toBe("Go back to your terminal; you can close this page.\n");
    const { code, json, stdout, stderr } = await login.finished;
    expect([code, json]).toMatchObject([0, { status: "signed_in", scopes: ["read", "admin"], renews: true }]);
    for (const unwanted of ["tat_", "trt_"]) expect(stdout + stderr).not.toContain(unwanted);
    expect((await tool("whoami")).code).toBe(0);
  });

  it("exits with 1 and stores nothing after a denial", async () => {
    const { tool, login, decide } = await begin();
    await fetch(await decide("deny"));
    expect((await login.finished).json).toMatchObject({ error: "access_denied", exitCode: 1 });
    expect((await tool("whoami")).code).toBe(4);
  });

  it("refuses an answer with another state or issuer, or at another path", async () => {
    const { login, decide } = await begin();
    const answer = await decide("approve");
    const changed = (name: string, value: string) => {
      const url = new URL(answer);
      url.searchParams.set(name, value);
      return url;
    };
    expect((await fetch(changed("state", "another"))).status).toBe(404);
    expect((await fetch(new URL("/", answer))).status).toBe(404);
    expect((await fetch(changed("iss", "https://evil.example"))).status).toBe(200);
    const { code, json } = await login.finished;
    expect([code, json?.message]).toEqual([expect.any(Number), expect.stringContaining("another server")]);
    expect(code).not.toBe(0);
  });

  it("exits with 130 at SIGINT, and stores nothing", async () => {
    const { login, tool } = await begin();
    login.child.kill("SIGINT");
    expect((await login.finished).code).toBe(130);
    expect((await tool("whoami")).code).toBe(4);
  });
});
