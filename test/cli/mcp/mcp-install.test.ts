import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { fileOf } from "../../../src/cli/mcp/clients.ts";
import { editJson } from "../../../src/cli/mcp/edit-json.ts";
import { editToml } from "../../../src/cli/mcp/edit-toml.ts";
import { user } from "../support/tool.ts";

const COMMENTED = `{
  // mine
  "servers": { // all of them
    "a": {"command":"x"}, // keep
  },
  "other": [1,2]
}
`;
const VALUE = { command: "tool", args: ["mcp"] };
const PATH = ["servers", "toolplane"];

describe("editJson()", () => {
  it("adds, changes and removes the entry, and keeps every other byte", () => {
    const added = editJson(COMMENTED, PATH, VALUE, "f");
    expect(parse(added).servers).toEqual({ toolplane: VALUE, a: { command: "x" } });
    for (const line of COMMENTED.split("\n")) expect(added.split("\n")).toContain(line);
    expect(editJson(added, PATH, VALUE, "f")).toBe(added);
    const changed = editJson(added, PATH, { command: "other" }, "f");
    expect(parse(changed).servers.toolplane).toEqual({ command: "other" });
    expect(editJson(changed, PATH, undefined, "f")).toBe(COMMENTED);
    expect(editJson(COMMENTED, PATH, undefined, "f")).toBe(COMMENTED);
  });

  it.each(["", "{}", "{ }\n", "{\n}\n", '{"servers":{}}', '{"a":1}', '{"servers": {"b": 2}}'])(
    "adds the entry to %j",
    (text) => {
      const added = editJson(text, PATH, VALUE, "f");
      const before = text === "" ? {} : JSON.parse(text);
      expect(JSON.parse(added)).toEqual({ ...before, servers: { ...before.servers, toolplane: VALUE } });
    },
  );

  it("keeps all other JSON values when adding and removing the entry", () => {
    const texts = fc
      .dictionary(fc.string(), fc.jsonValue())
      .chain((value) =>
        fc.constantFrom(0, 2, "\t").map((indent) => ({ value, text: JSON.stringify(value, null, indent) })),
      );
    fc.assert(
      fc.property(texts, ({ value, text }) => {
        fc.pre(!Object.hasOwn(value, "servers") && !Object.hasOwn(value, "__proto__"));
        const added = editJson(text, PATH, VALUE, "f");
        expect(JSON.parse(added)).toEqual({ ...JSON.parse(text), servers: { toolplane: VALUE } });
        const { servers, ...rest } = JSON.parse(editJson(added, PATH, undefined, "f"));
        expect({ servers, rest }).toEqual({ servers: {}, rest: JSON.parse(text) });
      }),
    );
  });

  it("keeps a byte order mark", () => {
    const added = editJson('\ufeff{"a":1}', PATH, VALUE, "f");
    expect(added.startsWith("\ufeff{")).toBe(true);
    expect(JSON.parse(added.slice(1))).toEqual({ servers: { toolplane: VALUE }, a: 1 });
  });

  it.each([
    ['{"servers":{"a":1 /* x, y */, "toolplane":{}}}', '{"servers":{"a":1 /* x, y */ }}'],
    ['{"servers":{"toolplane":{} /* x, y */, "a":1}}', '{"servers":{ "a":1}}'],
    ['{"servers":{"a":1 // x, y\n, "toolplane":{}}}', '{"servers":{"a":1 // x, y\n }}'],
  ])("removes the comma of the entry from %j, and none of a comment", (text, rest) => {
    expect(editJson(text, PATH, undefined, "f")).toBe(rest);
  });

  it.each(["[]", "{", '{"servers": 3}', "nonsense"])("refuses a file that holds %j", (text) => {
    expect(() => editJson(text, PATH, VALUE, "f")).toThrow("f cannot be edited");
  });
});

const TABLE = ["mcp_servers", "toolplane"];

describe("editToml()", () => {
  const table = '[mcp_servers.toolplane]\ncommand = "tool"';

  it("adds, changes and removes the table, and keeps the rest of the file", () => {
    const text = '# mine\nmodel = "x"\n\n[mcp_servers.a]\ncommand = "y" # keep\n';
    const added = editToml(text, TABLE, table, "f");
    expect(added.startsWith(text)).toBe(true);
    expect(parseToml(added)).toMatchObject({
      mcp_servers: { a: { command: "y" }, toolplane: { command: "tool" } },
    });
    expect(editToml(added, TABLE, table, "f")).toBe(added);
    const changed = editToml(added, TABLE, table.replace('"tool"', '"other"'), "f");
    expect(changed).toBe(added.replace('command = "tool"', 'command = "other"'));
    expect(editToml(changed, TABLE, undefined, "f")).toBe(text);
    expect(editToml(text, TABLE, undefined, "f")).toBe(text);
  });

  it("keeps the line ends of Windows", () => {
    const inWindows = (text: string) => text.replaceAll("\n", "\r\n");
    const other = inWindows('model = "x"\n\n[mcp_servers.a]\nargs = [\n  "b",\n]\n');
    const added = editToml(other, TABLE, table, "f");
    expect(added).toBe(`${other}\r\n${inWindows(table)}\r\n`);
    expect(editToml(added, TABLE, table, "f")).toBe(added);
    const changed = editToml(added, TABLE, table.replace('"tool"', '"other"'), "f");
    expect(changed).toBe(added.replace('"tool"', '"other"'));
    expect(editToml(changed, TABLE, undefined, "f")).toBe(other);
  });

  it("keeps what is before and behind the table, up to its comments and blank lines", () => {
    const [before, behind] = ["# mine\n\n", "# about a\n[mcp_servers.a]\ncommand = 'y'\n\n\n"];
    const text = `${before}[mcp_servers.toolplane] # ours\nargs = []\n\n${behind}`;
    expect(editToml(text, TABLE, table, "f")).toBe(`${before}${table}\n\n${behind}`);
    expect(editToml(text, TABLE, undefined, "f")).toBe(before + behind);
  });

  it("keeps tables below the changed one, and removes them with it", () => {
    const below = '[mcp_servers.toolplane.env]\nA = "b"\n';
    const text = `${table}\n\n${below}\n[mcp_servers.toolplanes]\ncommand = "z"\n`;
    const changed = table.replace('"tool"', '"other"');
    expect(editToml(text, TABLE, changed, "f")).toBe(text.replace(table, changed));
    expect(editToml(text, TABLE, undefined, "f")).toBe('[mcp_servers.toolplanes]\ncommand = "z"\n');
  });

  it("finds the table in whichever way its name is written, and no other", () => {
    const quoted = (name: string) => fc.constantFrom(...waysToWrite(name));
    const header = (path: string[]) =>
      fc
        .tuple(fc.constantFrom("", " ", "\t"), ...path.map(quoted))
        .map(([space = "", ...keys]) => `${space}[${space}${keys.join(`${space}.${space}`)}${space}]`);
    const others = fc.uniqueArray(fc.string(), { maxLength: 3 }).chain((names) => {
      const paths = names.filter((name) => name !== "toolplane").map((name) => ["mcp_servers", name]);
      return fc.tuple(...paths.map(header));
    });
    fc.assert(
      fc.property(header(TABLE), header([...TABLE, "env"]), others, (ours, below, others) => {
        const theirs = [...others, "[last]"].map((other) => `${other} # theirs\nargs = [\n  ["x"],\n]\n`);
        const rest = theirs.join("\n");
        const text = `${ours} # ours\ncommand = "x"\n\n${below}\nA = "b"\n\n${rest}`;
        const changed = editToml(text, TABLE, table, "f");
        expect(changed).toBe(`${table}\n\n${below}\nA = "b"\n\n${rest}`);
        expect(editToml(text, TABLE, undefined, "f")).toBe(rest);
      }),
    );
  });

  it("takes no line of a value for a table", () => {
    const text = `notes = """\n[mcp_servers.toolplane]\n"""\nlists = [\n  ["a"],\n]\n`;
    expect(editToml(text, TABLE, undefined, "f")).toBe(text);
    expect(editToml(text, TABLE, table, "f")).toBe(`${text}\n${table}\n`);
    const last = `${table}\nargs = [\n  ["a"],\n]\n`;
    expect(editToml(last, TABLE, table, "f")).toBe(`${table}\n`);
  });

  it.each([
    ["[mcp_servers", "f cannot be edited: line 1 is no TOML."],
    ["a = 1\n\na = 2", "f cannot be edited: line 3 is no TOML."],
    [
      '[mcp_servers]\ntoolplane = { command = "x" }',
      "mcp_servers.toolplane is no table with a header of its own.",
    ],
    ["mcp_servers.toolplane.args = []", "mcp_servers.toolplane is no table with a header of its own."],
  ])("refuses a file that holds %j", (text, message) => {
    expect(() => editToml(text, TABLE, table, "f")).toThrow(message);
    expect(() => editToml(text, TABLE, undefined, "f")).toThrow(message);
  });
});

describe("tool mcp install", () => {
  it("shows the change, writes only with --yes, keeps other entries, and changes nothing twice", async () => {
    const { tool, home } = user();
    const file = join(home, ".vscode/mcp.json");
    mkdirSync(dirname(file));
    writeFileSync(file, COMMENTED, { mode: 0o600 });
    const unasked = await tool("mcp", "install", "--client", "vscode");
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain('+     "toolplane": {');
    expect(unasked.stderr).toContain("Add --yes");
    expect(readFileSync(file, "utf8")).toBe(COMMENTED);
    const done = (await tool("mcp", "install", "--client", "vscode", "--yes", "--json")).json;
    expect(done).toMatchObject({ client: "vscode", file, changed: true });
    expect(readFileSync(done.backup, "utf8")).toBe(COMMENTED);
    expect(parse(readFileSync(file, "utf8")).servers.toolplane).toEqual({ type: "stdio", ...VALUE });
    const again = await tool("mcp", "install", "--client", "vscode", "--json");
    expect(again).toMatchObject({ code: 0, json: { changed: false } });
    expect((await tool("mcp", "uninstall", "--client", "vscode", "--yes")).code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(COMMENTED);
  });

  it("says how to install the command that a shared file names, unless an editor finds it", async () => {
    const { start, home } = user();
    const install = async (client: string, PATH: string) =>
      (await start(["mcp", "install", "--client", client, "--yes"], { PATH }).finished).stdout;
    const [installed, packages] = [join(home, "bin"), join(home, "node_modules/.bin")];
    for (const directory of [installed, packages]) {
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, "tool"), "");
    }
    expect(await install("cursor", packages)).toContain("npm install --global toolplane");
    expect(await install("cursor", `${packages}:${installed}`)).not.toContain("npm install");
    expect(await install("codex", packages)).not.toContain("npm install");
  });

  it("creates a missing file, and refuses an unreadable one", async () => {
    const { tool, home } = user();
    expect((await tool("mcp", "install", "--client", "claude-code", "--yes")).code).toBe(0);
    expect(JSON.parse(readFileSync(join(home, ".mcp.json"), "utf8"))).toEqual({
      mcpServers: { toolplane: VALUE },
    });
    writeFileSync(join(home, ".mcp.json"), "{ nonsense");
    expect(await tool("mcp", "install", "--client", "claude-code", "--yes")).toMatchObject({ code: 2 });
    expect(existsSync(join(home, ".cursor"))).toBe(false);
  });

  it("finds the configuration file of each client on each system", () => {
    const at = (client: string, platform: NodeJS.Platform, environment = {}) =>
      fileOf(client, { environment, platform, workingDirectory: "/project" }, "/home/ada");
    expect(at("claude-desktop", "darwin")).toBe(
      "/home/ada/Library/Application Support/Claude/claude_desktop_config.json",
    );
    expect(at("claude-desktop", "linux")).toBe("/home/ada/.config/Claude/claude_desktop_config.json");
    expect(at("claude-desktop", "win32", { APPDATA: "/roaming" })).toBe(
      "/roaming/Claude/claude_desktop_config.json",
    );
    expect(at("cursor", "linux")).toBe("/project/.cursor/mcp.json");
    expect(at("zed", "linux", { XDG_CONFIG_HOME: "/xdg" })).toBe("/xdg/zed/settings.json");
    expect(at("codex", "linux", { CODEX_HOME: "/codex" })).toBe("/codex/config.toml");
  });
});

/** Returns a key of TOML bare, as a literal, and as a string with and without escapes, as far as each is allowed. */
function waysToWrite(key: string): string[] {
  const escaped = [...key].map((each) => `\\U${each.codePointAt(0)?.toString(16).padStart(8, "0")}`);
  const ways = [`"${escaped.join("")}"`];
  if (/^[ -~]*$/.test(key)) ways.push(JSON.stringify(key));
  if (/^[ -&(-~]*$/.test(key)) ways.push(`'${key}'`);
  if (/^[\w-]+$/.test(key)) ways.push(key);
  return ways;
}
