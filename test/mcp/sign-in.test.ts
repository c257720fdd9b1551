import { describe, expect, it } from "vitest";
import { decide } from "../cli/support/device-flow.ts";
import { everythingIn } from "../cli/support/files.ts";
import { startApp } from "../support/app.ts";
import { overStdio, overStdioV2, textOf } from "./support/sessions.ts";

describe("a session without a credential", () => {
  it.each([
    ["2025-11-25", overStdio],
    ["2026-07-28", overStdioV2],
  ] as const)(
    "signs in by link and code in revision %s, updates the list of tools, and performs calls",
    async (_, open) => {
      const app = await startApp();
      const { call, names, changed } = await open(app, { key: null });
      expect(await names()).toEqual(expect.arrayContaining(["sign_in", "knowledge_graph_search"]));
      const begun = await call("sign_in");
      expect(begun.isError).toBeFalsy();
      const { userCode } = begun.structuredContent as { userCode: string };
      expect(begun.structuredContent).toMatchObject({
        status: "pending",
        userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
        verificationUri: `${app.url}/device`,
        verificationUriComplete: `${app.url}/device?user_code=${userCode}`,
        next: expect.stringContaining(userCode),
      });
      const heard = changed();
      await decide(app, userCode, "approve");
      await heard;
      expect(await names()).not.toContain("sign_in");
      const found = await call("knowledge_graph_search", { q: "a" });
      expect(found.structuredContent).toEqual({ items: [] });
      // A client with the old list can still call it.
      expect((await call("sign_in")).structuredContent).toMatchObject({ status: "signed_in" });
    },
  );

  it("answers any call with the same link and code until the sign-in", async () => {
    const app = await startApp();
    const { call, changed } = await overStdio(app, { key: null });
    const refused = await call("knowledge_graph_search", { q: "a" });
    expect(refused.isError).toBe(true);
    const [, userCode] = textOf(refused).match(/code ([A-Z]{4}-[A-Z]{4})/) ?? [];
    expect(textOf(refused)).toContain(`${app.url}/device?user_code=${userCode}`);
    expect(textOf(await call("agent_memory_recall", { q: "a" }))).toContain(userCode);
    expect((await call("sign_in")).structuredContent).toMatchObject({ status: "pending", userCode });
    const heard = changed();
    await decide(app, userCode as string, "approve");
    await heard;
    expect((await call("knowledge_graph_search", { q: "a" })).isError).toBeFalsy();
  });

  it("gets a new code after a denial", async () => {
    const app = await startApp();
    const { call, errors } = await overStdio(app, { key: null });
    const { userCode } = (await call("sign_in")).structuredContent as { userCode: string };
    await decide(app, userCode, "deny");
    await expect.poll(errors).toContain("The sign-in failed: The request was denied");
    const next = (await call("sign_in")).structuredContent as { userCode: string };
    expect(next.userCode).not.toBe(userCode);
  });

  it("reports an unreachable server", async () => {
    const { call } = await overStdio({ url: "http://127.0.0.1:9" }, { key: null });
    for (const name of ["sign_in", "agent_memory_recall"]) {
      const answer = await call(name);
      expect(answer.isError).toBe(true);
      expect(textOf(answer)).toContain("(unreachable)");
    }
  });
});

describe("a session whose sign-in is revoked", () => {
  it("offers to sign in again", async () => {
    const app = await startApp();
    const session = await overStdio(app, { key: null });
    const { userCode } = (await session.call("sign_in")).structuredContent as { userCode: string };
    const signedIn = session.changed();
    await decide(app, userCode, "approve");
    await signedIn;
    expect(await session.names()).not.toContain("sign_in");
    const [token] = everythingIn(session.home).match(/tat_[\w-]+/) ?? [];
    expect((await app.request("POST", "/auth/revoke", { key: null, body: { token } })).status).toBe(200);
    const lost = session.changed();
    const refused = await session.call("knowledge_graph_search", { q: "a" });
    expect(textOf(refused)).toMatch(/no longer accepts this sign-in.*\(signed_out\)/);
    expect(textOf(refused)).toContain("/device?user_code=");
    await lost;
    expect(await session.names()).toContain("sign_in");
  });
});
