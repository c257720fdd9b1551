import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ignoredSettings, VARIABLES } from "../../../src/cli/server/ignored-settings.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { user } from "../support/tool.ts";

const DATABASE = "postgres://tool@db.example/tool";
const ignored = (environment: Record<string, string>, options = {}) =>
  ignoredSettings(environment, { store: "/data", providers: [], ...options });

it("a store in --data that is not served is named, unless it was moved away or was never there", () => {
  const data = temporaryDirectory();
  const served = (flags = {}) =>
    ignored({ TOOL_DATABASE_URL: DATABASE }, { store: DATABASE, data, ...flags });
  expect(served()).toEqual([]);
  writeFileSync(join(data, "store.json"), "");
  expect(served()).toEqual([
    expect.stringContaining(`TOOL_DATABASE_URL is served, not the store in ${data}`),
  ]);
  expect(served({ database: DATABASE })).toEqual([expect.stringContaining("--database is served")]);
  expect(ignored({ TOOL_DATABASE_URL: DATABASE }, { store: DATABASE })).toEqual([]);
  mkdirSync(join(data, "read-only"));
  expect(served()).toEqual([]);
});

it.each(["TOOL_DATABASE_DIRECT_URL", "TOOL_DATABASE_PASSWORD", "TOOL_MAIL_FROM"])(
  "%s alone has no effect, and what it belongs to is named",
  (name) => {
    const missing = name === "TOOL_MAIL_FROM" ? "TOOL_SMTP_URL" : "TOOL_DATABASE_URL";
    expect(ignored({ [name]: "x" })).toEqual([expect.stringMatching(`^${name} .* ${missing}:`)]);
    expect(ignored({ [name]: "" })).toEqual([]);
    expect(ignored({ [name]: "x", [missing]: DATABASE }, { store: DATABASE })).toEqual([]);
  },
);

it("a password in the environment that the one in the URL precedes is named", () => {
  const served = (store: string) => ignored({ TOOL_DATABASE_PASSWORD: "a/b" }, { store });
  expect(served("postgres://tool:a%2Fb@db.example/tool")).toEqual([]);
  expect(served("postgres://tool:own@db.example/tool")).toEqual([
    "TOOL_DATABASE_PASSWORD has no effect: the database's URL has another password.",
  ]);
});

it("a direct address by flag has no effect without a database either", () => {
  expect(ignored({}, { databaseDirectUrl: DATABASE })).toEqual([
    expect.stringMatching(/^--database-direct-url has no effect without TOOL_DATABASE_URL:/),
  ]);
  expect(ignored({}, { databaseDirectUrl: DATABASE, store: DATABASE })).toEqual([]);
});

it("a mistyped variable is named with what was meant, and other programs' are not", () => {
  const secrets = { TOOL_SMTPURL: "", TOOL_GOOGLE_KEY: "s", TOOL_SMTP_KEY: "s", TOOLS_OIDC: "s" };
  const set = Object.fromEntries(
    [...VARIABLES, "TOOL_TOKEN", "TOOL_BASE_URL"].map((name) => [name, DATABASE]),
  );
  expect(ignored({ ...secrets, ...set, TOOL_OIDC_FILE: "f" }, { store: DATABASE })).toEqual([]);
  expect(ignored({ TOOL_DATABSE_URL: "x", TOOL_OWNER_APIKEY_FILE: "f" })).toEqual([
    "TOOL_DATABSE_URL is no setting of tool serve. Did you mean TOOL_DATABASE_URL?",
  ]);
  const named = ["google=https://accounts.example,id,env:TOOL_OIDCS"];
  expect(ignored({ TOOL_OIDCS: "s" }, { providers: named })).toEqual([]);
  expect(ignored({ TOOL_OIDCS: "s" })).toHaveLength(1);
});

it("all variables of tool serve --help are known, and a mistyped one is in the log", async () => {
  const { tool, start } = user();
  const { stdout } = await tool("serve", "--help");
  const listed = [...stdout.matchAll(/^ {2}(TOOL_[A-Z_]+) /gm)].map(([, name]) => name);
  expect(listed).toEqual(VARIABLES);
  const server = start(["serve", "--port", "0"], { TOOL_SIGNUP: "open" });
  await server.until("stderr", /TOOL_SIGNUP is no setting/);
});
