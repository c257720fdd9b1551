import { describe, expect, it } from "vitest";
import { KEEPING_TOOLS } from "../../src/cli/choice-sources.ts";
import { pickerLines, press } from "../../src/cli/terminal/pick.ts";
import { tools } from "../../src/tools/index.ts";
import { testIo } from "./support/io.ts";
import { ownerOf, startOwner } from "./support/owner.ts";
import { user } from "./support/tool.ts";

const CHOICES = ["ci", "deploy", "meter"].map((value) => ({ value, description: `key of ${value}` }));

it.each([
  ["scheduler", "plan"],
  ["anomalies", "analyze"],
  ["graph", "import"],
])("tool %s %s reports a directory that is given in place of a file", async (...words) => {
  const { tool } = user();
  const { stdout, stderr } = await tool(...words, ".");
  expect(stdout + stderr).toContain(". is a directory.");
});

describe("a command with a missing argument and no terminal", () => {
  it("lists at most ten choices and an example", async () => {
    const { app, tool } = await startOwner();
    const make = (name: string) => app.request("POST", "/api/v1/keys", { body: { name, scopes: ["read"] } });
    for (let number = 10; number < 22; number++) await make(`k${number}`);
    const lacking = await tool("keys", "show");
    expect(lacking).toMatchObject({ code: 2, stdout: "" });
    const most = [...Array(10).keys()].map((index) => `k${index + 10}`).join(", ");
    expect(lacking.stderr).toContain(`tool keys show needs <key>: ${most} and 2 more.`);
    expect(lacking.stderr).toContain("For example: `tool keys show ci`");
    const role = await tool("users", "role", "owner@localhost", "--json");
    expect(role.json).toMatchObject({
      error: "usage",
      exitCode: 2,
      message: "tool users role needs --to <role>: viewer, member, admin, owner.",
    });
  });

  it("offers memories, sessions, diagnoses, webhooks, deliveries and models as choices", async () => {
    const { app, tool } = await startOwner({ privateWebhooks: true });
    const make = async (path: string, body: object) => (await app.request("POST", path, { body })).body;
    const { memory } = await make("/api/v1/tools/agent-memory/store", {
      content: "Deploys freeze on Fridays.",
    });
    const { session } = await make("/api/v1/tools/pair/session", {
      title: "Cart",
      participants: [{ id: "ada", role: "driver" }],
      files: [{ path: "cart.ts", content: "" }],
    });
    const { diagnosisId } = await make("/api/v1/tools/self-healing/diagnose", {
      log: "npm ERR! code ERESOLVE",
    });
    const { webhook } = await make("/api/v1/webhooks", { url: "http://127.0.0.1:9/hook" });
    const { delivery } = await make(`/api/v1/webhooks/${webhook.id}/test`, {});
    for (const [words, named] of [
      [["memory", "show"], memory.id],
      [["pair", "end"], session.id],
      [["self-healing", "show"], diagnosisId],
      [["webhooks", "delete"], webhook.id],
      [["webhooks", "redeliver", webhook.id], delivery.alertId],
    ] as const) {
      const { code, stderr } = await tool(...words);
      expect([code, stderr], words.join(" ")).toEqual([2, expect.stringContaining(`>: ${named}.\n`)]);
    }
    expect((await tool("models", "outcome", "--kind", "code")).stderr).toMatch(
      /needs <model>: .* and \d+ more\.\n/,
    );
  });

  it("lists only choices whose state fits the command", async () => {
    const { app, tool } = await startOwner();
    const make = async (path: string, body: object = {}) => (await app.request("POST", path, { body })).body;
    const steady = Array.from({ length: 40 }, (_, index) => 100 + (index % 3));
    const { anomalies } = await make("/api/v1/tools/anomalies/analyze", {
      metrics: { one: [...steady, 900], two: [...steady, 900] },
    });
    expect(anomalies).toHaveLength(2);
    const [closed, open] = anomalies.map(({ id }: { id: string }) => id);
    await make(`/api/v1/tools/anomalies/dismiss/${closed}`);
    await make("/api/v1/keys", { name: "running", scopes: ["read"] });
    const { key } = await make("/api/v1/keys", { name: "stopped", scopes: ["read"] });
    await app.request("PATCH", `/api/v1/keys/${key.id}`, { body: { suspended: true } });
    for (const id of ["live", "old"]) await app.request("PUT", `/api/v1/projects/${id}`, { body: {} });
    await app.request("PUT", "/api/v1/projects/old", { body: { archived: true } });
    for (const [words, named] of [
      [["anomalies", "reopen"], closed],
      [["anomalies", "dismiss"], open],
      [["keys", "resume"], "stopped"],
      [["projects", "restore"], "old"],
    ] as const) {
      const { code, stderr } = await tool(...words);
      expect([code, stderr], words.join(" ")).toEqual([2, expect.stringContaining(`>: ${named}.\n`)]);
    }
    const archiving = await tool("projects", "archive");
    expect(archiving.stderr).toMatch(/>: (?=.*\blive\b)(?!.*\bold\b)/);
  });

  it("lists the values of a missing option or option value", async () => {
    const { tool } = await startOwner();
    const plans = "free, pro, team, enterprise";
    for (const [words, lacks] of [
      [["accounts", "create", "Acme", "--owner", "ada@example.com"], `--plan <plan>: ${plans}.`],
      [["accounts", "set", "acc_1", "--plan"], `--plan <plan>: ${plans}.`],
      [["projects", "empty", "shop", "--tool"], `--tool <tool>: ${KEEPING_TOOLS.join(", ")}.`],
      [["keys", "list", "--limit"], "--limit <n>."],
    ] as const) {
      const { code, stderr } = await tool(...words);
      expect([code, stderr], words.join(" ")).toEqual([2, expect.stringContaining(`needs ${lacks}\n`)]);
    }
    const keeping = Object.values(tools).filter(({ collections }) => collections !== undefined);
    expect(KEEPING_TOOLS).toEqual(keeping.map(({ name }) => name).sort());
  });

  it("shows how to pipe, where a command takes what is piped", async () => {
    const { tool } = ownerOf({ url: "http://127.0.0.1:9" });
    expect((await tool("diagnose")).stderr).toBe(
      "✖ tool diagnose needs <log>.\n  For example: `gh run view --log-failed | tool diagnose -`\n",
    );
    expect((await tool("memory", "store")).stderr).toContain("| tool memory store - --thread");
    expect((await tool("graph", "import")).stderr).toContain("`make-graph | tool graph import -`");
  });

  it("prints only the example when no server answers", async () => {
    const { tool } = ownerOf({ url: "http://127.0.0.1:9" });
    const { code, stderr } = await tool("keys", "show");
    expect(code).toBe(2);
    expect(stderr).toBe("✖ tool keys show needs <key>.\n  For example: `tool keys show ci`\n");
    expect((await tool("devices", "approve")).stderr).toContain("`tool devices approve BCDF-GHJK`");
  });

  it("refuses a name shared by several keys, and lists their ids", async () => {
    const { app, tool } = await startOwner();
    const ids = [];
    for (const _ of [1, 2]) {
      const { body } = await app.request("POST", "/api/v1/keys", { body: { name: "ci", scopes: ["read"] } });
      ids.push(body.key.id);
    }
    const { code, stderr } = await tool("keys", "revoke", "ci");
    expect(code).toBe(2);
    for (const id of ids) expect(stderr).toContain(id);
    expect((await tool("keys", "show")).stderr).toContain(ids.join(", "));
  });
});

describe("the picker", () => {
  it("moves within the matches, narrows them by typing, and picks the current one", () => {
    const picker = { typed: "", at: 0 };
    const type = (name: string, text?: string) => press(picker, CHOICES, text, { name, ctrl: false });
    expect(type("up")).toBeUndefined();
    expect(type("down")).toBeUndefined();
    expect(type("return")).toBe("deploy");
    type("m", "m");
    expect(picker).toEqual({ typed: "m", at: 0 });
    expect(type("return")).toBe("meter");
    type("z", "z");
    expect(type("return")).toBeUndefined();
    type("backspace");
    expect(type("return")).toBe("meter");
  });

  it.each([
    { name: "escape", ctrl: false },
    { name: "c", ctrl: true },
    { name: "d", ctrl: true },
  ])("closes without a choice at %j", (key) => {
    expect(press({ typed: "", at: 0 }, CHOICES, undefined, key)).toBe(false);
  });

  it.each([20, 40, 80])("fits %d columns and shows ten choices at every position", (columns) => {
    const { io } = testIo({ terminal: true, columns, rows: 24 });
    const many = [...Array(50).keys()].map((index) => ({ value: `choice-${index}`, description: "of many" }));
    for (const at of [0, 25, 49]) {
      const lines = pickerLines({ typed: "", at }, "tool keys show: which key?", many, io.err);
      expect(lines).toHaveLength(12);
      for (const line of lines) expect(line.length).toBeLessThan(columns);
      expect(lines.filter((line) => line.includes("›"))).toEqual([expect.stringContaining(`choice-${at}`)]);
    }
  });
});
