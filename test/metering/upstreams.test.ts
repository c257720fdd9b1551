import { describe, expect, it } from "vitest";
import bundled from "../../src/metering/catalogue.json" with { type: "json" };
import { parseCatalogue } from "../../src/metering/plans.ts";
import { gatedOf, gatesOf, ruleOfTool, Upstream } from "../../src/metering/upstreams.ts";

const FILES = { name: "files", url: "https://files.example/mcp" };

function faults(upstream: unknown): string[] {
  const { error } = Upstream.safeParse(upstream);
  return error ? error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) : [];
}

describe("Upstream", () => {
  it.each([
    FILES,
    { name: "0-a", command: ["python", "server.py"] },
    { ...FILES, url: "http://127.0.0.1:8000/mcp", title: "Files", description: "Reads files" },
    {
      ...FILES,
      headers: { "X-Api-Key": "env:KEY" },
      audience: "files",
      timeoutSeconds: 3600,
      concurrency: 1,
    },
    { name: "x".repeat(40), command: ["server"], env: { KEY: "env:KEY" }, parallel: 256 },
    {
      ...FILES,
      tools: { "": {}, "*": {}, "export_*": { gate: "skills.advanced", usage: "api_calls", cost: 0 } },
    },
    { ...FILES, tools: { search: { usage: false, countErrors: true, cost: 1_000_000 } } },
    { ...FILES, prompts: { "a b": { gate: "telemetry" } }, resources: { "file:///*": {} } },
    { ...FILES, tools: { ["x".repeat(256)]: {}, [`${"y".repeat(256)}*`]: {} } },
    { ...FILES, tools: { a: { gate: "a_1.b2_.c" } }, prompts: { b: { gate: "a" } } },
    { ...FILES, title: "x".repeat(100), description: "x".repeat(500), audience: "x".repeat(256) },
    { ...FILES, title: "x", description: "x", audience: "x", timeoutSeconds: 1, concurrency: 10_000 },
    { ...FILES, headers: { "a1!#$%&'*+.^_`|~-Z": "" } },
  ])("accepts %j", (upstream) => {
    expect(faults(upstream)).toEqual([]);
  });

  it.each<[string, object]>([
    ["name", { ...FILES, name: "Files" }],
    ["name", { ...FILES, name: "-files" }],
    ["name", { ...FILES, name: "x".repeat(41) }],
    ["url", { ...FILES, url: "ftp://files.example" }],
    ["url", { ...FILES, url: "files" }],
    ["command", { name: "files", command: [] }],
    ["command.1", { name: "files", command: ["python", ""] }],
    ["headers.X Key", { ...FILES, headers: { "X Key": "a" } }],
    ["headers.", { ...FILES, headers: { "": "a" } }],
    ["env.", { ...FILES, env: { "": "a" } }],
    ["tools.a*b", { ...FILES, tools: { "a*b": {} } }],
    ["tools.a**", { ...FILES, tools: { "a**": {} } }],
    [`tools.${"x".repeat(257)}`, { ...FILES, tools: { ["x".repeat(257)]: {} } }],
    ["tools.a.gate", { ...FILES, tools: { a: { gate: "skills.*" } } }],
    ["tools.a.gate", { ...FILES, tools: { a: { gate: "Skills" } } }],
    ["tools.a.usage", { ...FILES, tools: { a: { usage: "clicks" } } }],
    ["tools.a.usage", { ...FILES, tools: { a: { usage: true } } }],
    ["tools.a.cost", { ...FILES, tools: { a: { cost: -1 } } }],
    ["tools.a.cost", { ...FILES, tools: { a: { cost: 0.5 } } }],
    ["tools.a.cost", { ...FILES, tools: { a: { cost: 1_000_001 } } }],
    ["timeoutSeconds", { ...FILES, timeoutSeconds: 0 }],
    ["timeoutSeconds", { ...FILES, timeoutSeconds: 3601 }],
    ["concurrency", { ...FILES, concurrency: 0 }],
    ["concurrency", { ...FILES, concurrency: 10_001 }],
    ["parallel", { ...FILES, parallel: 0 }],
    ["title", { ...FILES, title: "" }],
    ["name", { ...FILES, name: "" }],
    ["name", { ...FILES, name: "a_b" }],
    ["title", { ...FILES, title: "x".repeat(101) }],
    ["description", { ...FILES, description: "" }],
    ["description", { ...FILES, description: "x".repeat(501) }],
    ["audience", { ...FILES, audience: "" }],
    ["audience", { ...FILES, audience: "x".repeat(257) }],
    ["tools.a.gate", { ...FILES, tools: { a: { gate: "1a" } } }],
    ["tools.a.gate", { ...FILES, tools: { a: { gate: "a." } } }],
    ["tools.a.gate", { ...FILES, tools: { a: { gate: ".a" } } }],
    ["tools.a.gate", { ...FILES, tools: { a: { gate: "a.1" } } }],
    ["tools.a", { ...FILES, tools: { a: { more: 1 } } }],
    ["prompts.a", { ...FILES, prompts: { a: { cost: 1 } } }],
    ["headers.X:", { ...FILES, headers: { "X:": "a" } }],
    ["headers.X\n", { ...FILES, headers: { "X\n": "a" } }],
    ["timeoutSeconds", { ...FILES, timeoutSeconds: 1.5 }],
    ["url", { ...FILES, url: "xhttps://files.example" }],
    ["url", { ...FILES, url: "httpsx://files.example" }],
    ["", { ...FILES, port: 80 }],
    ["", { name: "files" }],
    ["", { ...FILES, command: ["server"] }],
    ["env", { ...FILES, env: { KEY: "a" } }],
    ["headers", { name: "files", command: ["server"], headers: { Authorization: "Bearer a" } }],
  ])("refuses a fault at %j: %j", (path, upstream) => {
    const found = faults(upstream);
    expect(found).toHaveLength(1);
    expect(found[0]?.startsWith(`${path}: `)).toBe(true);
  });

  it("says how to name parts, and to choose between a url and a command", () => {
    expect(faults({ name: "files" })).toEqual([": must have either a url or a command"]);
    expect(faults({ ...FILES, name: "Files" })).toEqual([
      "name: must be a name such as github: a to z, 0 to 9 and -",
    ]);
    expect(faults({ ...FILES, tools: { a: { gate: "A" } } })).toEqual([
      "tools.a.gate: must be a gate such as skills.advanced",
    ]);
    expect(faults({ ...FILES, url: "files" })).toEqual([
      "url: must be the http or https URL of its MCP endpoint",
    ]);
    expect(faults({ ...FILES, url: "https://me:secret@files.example/mcp" })).toEqual([
      "url: must hold no user and password, which are not sent: give them as an Authorization of headers",
    ]);
    const { error } = Upstream.safeParse({ ...FILES, tools: { "a*b": {} }, headers: { "X Key": "" } });
    expect(JSON.stringify(error)).toContain(
      "must be a name such as search, or the beginning of names such as export_*",
    );
    expect(JSON.stringify(error)).toContain("must be the name of a header");
  });
});

describe("ruleOfTool()", () => {
  const tools: Upstream["tools"] = {
    "*": { gate: "telemetry", cost: 2 },
    "export_*": { gate: "skills.advanced", usage: "api_calls" },
    "export_all*": { cost: 5 },
    export_all: { countErrors: true, usage: false },
  };

  it("counts a call once, and no failed call, by default", () => {
    expect(ruleOfTool({}, "search")).toEqual({ usage: "mcp_calls", cost: 1, countErrors: false });
  });

  it("merges all matching patterns, with the exact name before longer and then shorter patterns", () => {
    const entries = Object.entries(tools);
    for (const order of [entries, entries.toReversed()]) {
      const rule = (name: string) => ruleOfTool({ tools: Object.fromEntries(order) }, name);
      expect(rule("search")).toEqual({
        gate: "telemetry",
        usage: "mcp_calls",
        cost: 2,
        countErrors: false,
      });
      expect(rule("export_")).toMatchObject({ gate: "skills.advanced", usage: "api_calls", cost: 2 });
      expect(rule("export_all_of_it")).toMatchObject({
        gate: "skills.advanced",
        usage: "api_calls",
        cost: 5,
      });
      expect(rule("export_all")).toEqual({
        gate: "skills.advanced",
        usage: false,
        cost: 5,
        countErrors: true,
      });
    }
  });

  it("matches a name without a star exactly", () => {
    expect(ruleOfTool({ tools: { search: { cost: 3 } } }, "search_all").cost).toBe(1);
    expect(ruleOfTool({ tools: { search_all: { cost: 3 } } }, "search").cost).toBe(1);
  });
});

describe("the gates of an upstream", () => {
  const upstream = Upstream.parse({
    ...FILES,
    tools: { a: { gate: "tools.a" }, b: {} },
    prompts: { "*": { gate: "prompts.all" }, "daily_*": { gate: "prompts.daily" }, daily_free: {} },
    resources: { "file:///*": { gate: "resources.files" } },
  });

  it("apply to prompts and resources, and a pattern without a gate keeps the wider one", () => {
    const gate = (name: string) => gatedOf(upstream.prompts).find(({ matches }) => matches(name))?.gate;
    expect([gate("weekly"), gate("daily_1"), gate("daily_free")]).toEqual([
      "prompts.all",
      "prompts.daily",
      "prompts.daily",
    ]);
    expect(gatedOf(upstream.resources).map(({ matches }) => matches("https://x.example"))).toEqual([false]);
    expect(gatedOf(undefined)).toEqual([]);
  });

  it("are listed with their places", () => {
    expect(gatesOf(upstream)).toEqual([
      { gate: "tools.a", path: ["tools", "a", "gate"] },
      { gate: "prompts.all", path: ["prompts", "*", "gate"] },
      { gate: "prompts.daily", path: ["prompts", "daily_*", "gate"] },
      { gate: "resources.files", path: ["resources", "file:///*", "gate"] },
    ]);
    expect(gatesOf(Upstream.parse(FILES))).toEqual([]);
  });

  it("must be gates of a plan, and upstream names must be unique", () => {
    const withUpstreams =
      (...upstreams: unknown[]) =>
      () =>
        parseCatalogue({ ...bundled, upstreams });
    expect(withUpstreams(FILES, { ...FILES, name: "other" })).not.toThrow();
    expect(withUpstreams({ ...FILES, tools: { a: { gate: "skills.basic" } } })).not.toThrow();
    expect(withUpstreams(FILES, FILES)).toThrow('upstreams.1.name: "files" is there twice');
    expect(withUpstreams({ ...FILES, prompts: { "a*": { gate: "magic" } } })).toThrow(
      "upstreams.0.prompts.a*.gate: no tier adds the gate magic",
    );
  });
});
