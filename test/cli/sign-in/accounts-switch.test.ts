import { expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { user } from "../support/tool.ts";

it("tool auth switch changes between signed-in accounts, and logout keeps the others", async () => {
  const app = await startApp();
  const { token } = await app.account("team");
  const key = await app.key(["read"]);
  const { tool, start } = user({ TOOL_BASE_URL: app.url });
  const signIn = async (secret: string) => {
    const login = start(["login", "--with-token"]);
    login.child.stdin.end(secret);
    return (await login.finished).code;
  };
  const nowIn = async () => (await tool("whoami", "--json")).json.account;

  expect(await signIn(key)).toBe(0);
  const first = await nowIn();
  const alone = await tool("auth", "switch");
  expect([alone.code, alone.stderr]).toEqual([
    2,
    expect.stringContaining("not signed in to any other account"),
  ]);

  expect(await signIn(token)).toBe(0);
  const second = await nowIn();
  expect(second.id).not.toBe(first.id);
  expect((await tool("auth", "status", "--json")).json).toMatchObject({ current: second, others: [first] });

  expect((await tool("auth", "switch")).stdout).toContain(first.name);
  expect(await nowIn()).toEqual(first);
  await tool("auth", "switch", second.name.toUpperCase());
  expect(await nowIn()).toEqual(second);
  expect((await tool("auth", "switch", "nowhere")).code).toBe(2);

  const out = await tool("logout");
  expect(out.stdout).toContain(`tool auth switch ${first.name}`);
  await tool("auth", "switch");
  expect(await nowIn()).toEqual(first);
  expect((await tool("auth", "status", "--json")).json.others).toEqual([]);
});
