import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/cli/exit-codes.ts";
import {
  describeOrigin,
  readSettings,
  type SettingsOptions,
  userDirectories,
  writeSetting,
} from "../../../src/cli/settings/settings.ts";
import { temporaryDirectory } from "../../support/store.ts";

interface Places {
  flags?: SettingsOptions["flags"];
  environment?: Record<string, string>;
  /** Contents of a `.tool.json` two folders above the working directory. */
  project?: unknown;
  user?: unknown;
}

function settle({ flags = {}, environment = {}, project, user }: Places) {
  const root = temporaryDirectory();
  const directories = { config: join(root, "config"), data: join(root, "data"), cache: join(root, "cache") };
  const workingDirectory = join(root, "work", "deep", "deeper");
  mkdirSync(workingDirectory, { recursive: true });
  mkdirSync(directories.config);
  const projectFile = join(root, "work", ".tool.json");
  const userFile = join(directories.config, "config.json");
  const write = (path: string, content: unknown) =>
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  if (project !== undefined) write(projectFile, project);
  if (user !== undefined) write(userFile, user);
  const options = { flags, environment, workingDirectory, directories };
  return { options, directories, projectFile, userFile, read: () => readSettings(options) };
}

describe("readSettings()", () => {
  const flags = { baseUrl: "https://flag.example" };
  const environment = { TOOL_BASE_URL: "https://environment.example" };
  const project = { baseUrl: "https://project.example" };
  const user = { baseUrl: "https://user.example" };

  it.each<[string, Places, string, string]>([
    ["flag", { flags, environment, project, user }, "https://flag.example", "--base-url"],
    ["environment", { environment, project, user }, "https://environment.example", "TOOL_BASE_URL"],
    ["project", { project, user }, "https://project.example", ".tool.json"],
    ["user", { user }, "https://user.example", "config.json"],
    ["default", {}, "http://127.0.0.1:4242", "default"],
  ])("takes the base URL from the %s before all lower places", (_, places, value, origin) => {
    const { baseUrl } = settle(places).read();
    expect(baseUrl.value).toBe(value);
    expect(describeOrigin(baseUrl.origin)).toMatch(new RegExp(`${origin.replace(".", "\\.")}$`));
  });

  it("decides each setting separately", () => {
    const { project, telemetry, baseUrl } = settle({
      environment: { TOOL_PROJECT: "shop", TOOL_BASE_URL: "" },
      project: { telemetry: "off", project: "other" },
      user: { telemetry: "on" },
    }).read();
    expect(project).toEqual({ value: "shop", origin: { kind: "environment", name: "TOOL_PROJECT" } });
    expect(telemetry.value).toBe("off");
    expect(telemetry.origin.kind).toBe("project");
    expect(baseUrl.origin.kind).toBe("default");
  });

  it("reads only the nearest .tool.json", () => {
    const { options, read } = settle({ project: { project: "far", telemetry: "off" } });
    const nearest = join(options.workingDirectory, "..", ".tool.json");
    writeFileSync(nearest, '{"project":"near"}');
    const settings = read();
    expect(settings.project.value).toBe("near");
    expect(settings.telemetry.value).toBe("on");
    expect(settings.projectFile).toBe(nearest);
  });

  it.each([
    ["1", "off"],
    ["true", "off"],
    ["0", "on"],
    ["false", "on"],
    ["", "on"],
  ])("evaluates DO_NOT_TRACK=%s as telemetry %s", (value, telemetry) => {
    const settings = settle({ environment: { DO_NOT_TRACK: value, TOOL_TELEMETRY: "on" } }).read();
    expect(settings.telemetry.value).toBe(telemetry);
    expect(describeOrigin(settings.telemetry.origin)).toBe(
      telemetry === "off" ? "DO_NOT_TRACK" : "TOOL_TELEMETRY",
    );
  });

  it("names what is in the place of the user's file and is none", () => {
    const { read, userFile } = settle({});
    mkdirSync(userFile);
    expect(read).toThrow(`${userFile} is not a file.`);
  });
});

describe("invalid settings", () => {
  it.each<[string, Places, string]>([
    [
      "an unknown setting",
      { project: { baseURL: "https://a.example" } },
      '.tool.json: "baseURL" is no setting',
    ],
    ["malformed JSON", { user: '{"token": "tak_1' }, "config.json is not valid JSON."],
    ["JSON that is no object", { user: [] }, "config.json must hold one JSON object"],
    ["a value of another type", { user: { project: 7 } }, "config.json, project: a project has 1 to 256"],
    [
      "a project with control characters",
      { environment: { TOOL_PROJECT: "a\u0007" } },
      "TOOL_PROJECT: a project has",
    ],
    ["no URL", { flags: { baseUrl: "example" } }, '--base-url: "example" is not an http'],
    [
      "secrets in the clear",
      { project: { baseUrl: "http://example.com" } },
      ".tool.json, baseUrl: http://example.com",
    ],
    [
      "neither on nor off",
      { environment: { TOOL_TELEMETRY: "maybe" } },
      "TOOL_TELEMETRY: telemetry is on or off",
    ],
    ["a project that turns telemetry on", { project: { telemetry: "on" } }, "may turn telemetry off, not on"],
    ["a token that is none", { environment: { TOOL_TOKEN: "a b" } }, "TOOL_TOKEN holds characters"],
  ])("are reported with their place: %s", (_, places, message) => {
    const { read } = settle(places);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(message);
  });

  it.each([
    { token: "x" },
    { apiKey: "x" },
    { TOOL_TOKEN: "x" },
    { clientSecret: "x" },
    { project: "tak_0123456789abcdefghij" },
  ])("include a credential in a file, which is refused and not repeated: %o", (content) => {
    for (const places of [{ project: content }, { user: content }]) {
      const { read } = settle(places);
      expect(read).toThrow("is a credential");
      expect(read).not.toThrow("0123456789");
    }
  });

  it("are never quoted from a malformed file", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12, unit: "grapheme-ascii" }), (secret) => {
        const { read } = settle({ user: `{"x": ${secret}` });
        try {
          read();
        } catch (error) {
          expect((error as Error).message).not.toContain(secret);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("TOOL_TOKEN", () => {
  const environment = { TOOL_TOKEN: " tak_1\n" };
  const token = (places: Places) => settle({ environment, ...places }).read().token;

  it("is read from the environment and trimmed", () => {
    expect(token({})).toBe("tak_1");
    expect(settle({}).read().token).toBeUndefined();
    expect(token({ user: { baseUrl: "https://user.example" } })).toBe("tak_1");
  });
});

describe("a server named by a project's file", () => {
  const project = { baseUrl: "https://PROJECT.example/tenant" };
  const named = (places: Places) => settle({ project, ...places }).read().projectServer;

  it("is reported with the real directory of the file, even on this machine", () => {
    const { read, projectFile } = settle({ project });
    expect(read().projectServer).toEqual({
      file: projectFile,
      directory: realpathSync(dirname(projectFile)),
      server: "https://project.example",
    });
    expect(named({ project: { baseUrl: "http://127.0.0.1:4000" } })?.server).toBe("http://127.0.0.1:4000");
  });

  it("is not reported if the user names the same server or the server is the default", () => {
    expect(named({ flags: { baseUrl: "https://project.example" } })).toBeUndefined();
    expect(named({ environment: { TOOL_BASE_URL: "https://project.example" } })).toBeUndefined();
    expect(named({ user: project })).toBeUndefined();
    expect(named({ user: { baseUrl: "https://user.example" } })?.server).toBe("https://project.example");
    expect(named({ project: { baseUrl: "http://127.0.0.1:4242" } })).toBeUndefined();
    expect(named({ project: { project: "shop" } })).toBeUndefined();
  });

  it("is shown in Punycode, and refused with shell characters in its host", () => {
    expect(named({ project: { baseUrl: "https://p\u0430ypal.example" } })?.server).toBe(
      "https://xn--pypal-4ve.example",
    );
    for (const host of ["a$(id)", "a;b", "a`b", "a'b"]) {
      expect(() => named({ project: { baseUrl: `https://${host}.example` } })).toThrow("names no host");
    }
  });
});

describe("writeSetting()", () => {
  it("writes, replaces and removes one setting, and leaves the others", () => {
    const { directories, userFile, read } = settle({ user: { project: "shop" } });
    writeSetting(directories, "telemetry", "off");
    writeSetting(directories, "baseUrl", "https://A.example/");
    expect(JSON.parse(readFileSync(userFile, "utf8"))).toEqual({
      project: "shop",
      telemetry: "off",
      baseUrl: "https://a.example",
    });
    expect(read()).toMatchObject({ telemetry: { value: "off" }, baseUrl: { value: "https://a.example" } });
    writeSetting(directories, "project", undefined);
    expect(read().project).toEqual({ value: undefined, origin: { kind: "default" } });
  });

  it("creates the user's file with permissions for the user only", () => {
    const root = temporaryDirectory();
    const directories = { config: join(root, "new", "config"), data: root, cache: root };
    writeSetting(directories, "project", "shop");
    expect(statSync(directories.config).mode & 0o777).toBe(0o700);
    expect(statSync(join(directories.config, "config.json")).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["token", "x"],
    ["nonsense", "x"],
    ["telemetry", "maybe"],
    ["baseUrl", "http://example.com"],
    ["project", ""],
  ])("refuses %s = %s", (name, value) => {
    const { directories } = settle({});
    expect(() => writeSetting(directories, name, value)).toThrow(UsageError);
  });
});

it("userDirectories() returns different directories for config, data and cache", () => {
  const { config, data, cache } = userDirectories();
  for (const directory of [config, data, cache]) expect(directory).toContain("toolplane");
  expect(new Set([config, data, cache]).size).toBe(3);
});
