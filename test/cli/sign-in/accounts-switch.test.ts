import { expect, it } from "vitest";
import { setOwner } from "../../../src/client/telemetry/aside.ts";
import { append } from "../../../src/client/telemetry/journal.ts";
import { HOUR_MS } from "../../../src/system/durations.ts";
import { startApp } from "../../support/app.ts";
import { user } from "../support/tool.ts";

it("tool auth switch changes between signed-in accounts, and logout keeps the others", async () => {
  const app = await startApp();
  const { token } = await app.account("team");
  const key = await app.key(["read"]);
  const { tool, piped } = user({ TOOL_BASE_URL: app.url });
  const signIn = async (secret: string) => {
    return (await piped(secret, "login", "--with-token")).code;
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

it("queued events count for the account that they were recorded in, whichever is the current one", async () => {
  const app = await startApp();
  const [mine, theirs] = [await app.account("team"), await app.account("team")];
  const { tool, piped } = user({ TOOL_BASE_URL: app.url });
  for (const { token } of [theirs, mine]) {
    expect((await piped(token, "login", "--with-token")).code).toBe(0);
  }
  const [{ id }] = (await tool("auth", "status", "--json")).json.others;
  const own = (await tool("whoami", "--json")).json.account.id;
  const { directory } = (await tool("events", "list", "--json")).json;
  append(directory, { id: "evt_1", at: Date.now(), event: { event: "api.call" } });

  expect((await tool("auth", "switch", id)).stdout).toContain("1 event of the account before");
  expect((await tool("events", "list")).stdout).toContain("1 event of accounts that you are not in");
  expect((await tool("events", "list", "--json")).json).toMatchObject({ events: 0, aside: 1 });
  expect((await tool("doctor")).stdout).toContain("1 event of accounts that you are not in");
  expect((await tool("events", "flush", "--json")).json).toMatchObject({ sent: 0, waiting: 0 });
  expect((await tool("usage", "--json")).json.totals.api_calls).toBe(0);
  await tool("auth", "switch", own);
  // Where the commands so far took long, it is due by now, and the switch has it sent.
  expect((await tool("events", "flush", "--json")).json).toMatchObject({ waiting: 0 });
  expect((await tool("usage", "--json")).json.totals.api_calls).toBe(1);

  // What waited for an account is sent without another command.
  await tool("auth", "switch", id);
  append(directory, { id: "evt_3", at: Date.now() - HOUR_MS, event: { event: "api.call" } });
  await tool("auth", "switch", own);
  await tool("auth", "switch", id);
  await expect
    .poll(async () => (await tool("usage", "--json")).json.totals?.api_calls, {
      timeout: 20_000,
      interval: 500,
    })
    .toBe(1);
  await tool("auth", "switch", own);

  // As a process leaves it that was killed after it had entered an account.
  append(directory, { id: "evt_2", at: Date.now(), event: { event: "api.call" } });
  setOwner(directory, id);
  expect((await tool("events", "flush", "--json")).json).toMatchObject({ sent: 0, waiting: 0 });
  expect((await tool("events", "list", "--json")).json).toMatchObject({ events: 0, aside: 1 });
});

it("what is recorded after a logout is for who signs in next, and what was before it stays with its account", async () => {
  const app = await startApp();
  const [mine, theirs] = [await app.account("team"), await app.account("team")];
  const { tool, piped } = user({ TOOL_BASE_URL: app.url });
  const signIn = async ({ token }: { token: string }) => {
    expect((await piped(token, "login", "--with-token")).code).toBe(0);
  };
  await signIn(mine);
  const { directory } = (await tool("events", "list", "--json")).json;
  const record = (id: string) => append(directory, { id, at: Date.now(), event: { event: "api.call" } });
  record("evt_1");
  expect((await tool("logout")).stdout).toContain("1 event of the account before");
  record("evt_2");
  record("evt_3");
  expect((await tool("events", "list", "--json")).json).toMatchObject({ events: 2, aside: 1 });
  await signIn(theirs);
  expect((await tool("events", "flush", "--json")).json).toMatchObject({ waiting: 0 });
  expect((await tool("usage", "--json")).json.totals.api_calls).toBe(2);
  await signIn(mine);
  expect((await tool("events", "flush", "--json")).json).toMatchObject({ waiting: 0 });
  expect((await tool("usage", "--json")).json.totals.api_calls).toBe(1);
  expect((await tool("events", "list", "--json")).json).toMatchObject({ events: 0, aside: 0 });
});
