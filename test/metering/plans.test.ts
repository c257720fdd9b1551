import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grants } from "../../src/contract/gate.ts";
import bundled from "../../src/metering/catalogue.json" with { type: "json" };
import {
  featuresOf,
  InvalidCatalogue,
  loadCatalogue,
  parseCatalogue,
  requiredTier,
  requiredTiers,
  tierOf,
  tierWith,
} from "../../src/metering/plans.ts";
import { temporaryDirectory } from "../support/store.ts";

function fileWith(content: unknown): string {
  const file = join(temporaryDirectory(), "plans.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

/** Returns the bundled catalogue with the value at a path such as `tiers.0.id` replaced. */
function changed(path: string, value: unknown): unknown {
  const copy = structuredClone(bundled) as Record<string, unknown>;
  const names = path.split(".");
  const last = names.pop() as string;
  let place = copy;
  for (const name of names) place = place[name] as Record<string, unknown>;
  place[last] = value;
  return copy;
}

function complaint(file: string): string {
  try {
    loadCatalogue(file);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidCatalogue);
    return (error as Error).message;
  }
  return "none";
}

describe("the catalogue", () => {
  it("is read from a file of any editor", () => {
    expect(loadCatalogue(fileWith(`\ufeff${JSON.stringify(bundled)}`)).tiers).toEqual(loadCatalogue().tiers);
  });

  const catalogue = loadCatalogue();

  it("has the four plans in order, with their limits and twice the minute as burst", () => {
    const limits = catalogue.tiers.map(({ id, limits: l }) => [
      id,
      l.requestsPerMinute,
      l.requestsPerHour,
      l.requestsPerDay,
      l.burst,
    ]);
    expect(limits).toEqual([
      ["free", 20, 100, 1000, 40],
      ["pro", 60, 1000, 10_000, 120],
      ["team", 120, 5000, 50_000, 240],
      ["enterprise", 1000, 60_000, 1_000_000, 2000],
    ]);
  });

  it("has the endpoints' own limits and the anonymous limit", () => {
    expect(catalogue.endpoints).toEqual({
      "auth.device.code": { requests: 5, windowSeconds: 60 },
      "auth.device.token": { requests: 20, windowSeconds: 60 },
      "auth.token": { requests: 300, windowSeconds: 60 },
      "auth.register": { requests: 10, windowSeconds: 60 },
      "usage.track": { requests: 1000, windowSeconds: 60 },
      "agents.list": { requests: 100, windowSeconds: 60 },
    });
    expect(catalogue.anonymous).toEqual({ requestsPerMinute: 60 });
  });

  it("grants each tier the gates of the lower ones, and no tier single sign-on or SCIM", () => {
    const free = ["agents.technical", "skills.basic", "workflows.basic", "telemetry"];
    const pro = ["agents.business", "skills.advanced", "workflows.advanced", "priority_support"];
    const team = [
      "agents.enterprise",
      "skills.enterprise",
      "workflows.enterprise",
      "team_features",
      "presence",
    ];
    const enterprise = ["audit_logs", "custom_policies", "agents.*", "skills.*", "workflows.*"];
    const features = (plan: string) => featuresOf(catalogue, tierOf(catalogue, plan));
    expect(features("free")).toEqual(free);
    expect(features("pro")).toEqual([...free, ...pro]);
    expect(features("team")).toEqual([...free, ...pro, ...team]);
    expect(features("enterprise")).toEqual([...free, ...pro, ...team, ...enterprise]);
    for (const gate of ["sso", "scim", "identity.sso"])
      expect(grants(features("enterprise"), gate)).toBe(false);
  });

  it("has the client of the command line, which a plans file may rename but not lack", () => {
    const redirectUris = ["http://127.0.0.1/callback"];
    const usual = { name: "tool command line", redirectUris };
    const acme = { name: "Acme" };
    expect(catalogue.clients).toEqual({ "tool-cli": usual });
    expect(parseCatalogue({ clients: { acme } }).clients).toEqual({ acme, "tool-cli": usual });
    expect(parseCatalogue({ clients: { "tool-cli": acme } }).clients).toEqual({
      "tool-cli": { ...acme, redirectUris },
    });
  });

  it("has the command line's policy", () => {
    expect(catalogue.policy).toMatchObject({
      telemetry: { enabled: true, flushAt: 20, flushIntervalSeconds: 10, maxQueueEvents: 100_000 },
      offlineGraceSeconds: 86_400,
    });
  });

  it("has agents of all areas, each allowed from the lowest tier with its area's gate", () => {
    expect(catalogue.agents.length).toBeGreaterThanOrEqual(20);
    const tiers = new Map(
      catalogue.agents.map((agent) => [agent.area, requiredTier(catalogue, agent).id] as const),
    );
    expect(Object.fromEntries(tiers)).toEqual({ technical: "free", business: "pro", enterprise: "team" });
  });

  it("treats an unknown plan as the lowest tier", () => {
    expect(tierOf(catalogue, "platinum").id).toBe("free");
  });
});

describe("a gate", () => {
  it("is granted by its own name and by a wildcard above it", () => {
    expect(grants(["skills.basic"], "skills.basic")).toBe(true);
    expect(grants(["skills.*"], "skills.basic")).toBe(true);
    expect(grants(["skills.*"], "skills.basic.search")).toBe(true);
    expect(grants(["skills.*"], "skills.*")).toBe(true);
  });

  it("is not granted by other names or wildcards", () => {
    for (const feature of ["skills", "skills.basic.more", "skill.*", "agents.*", "skills.basic.*", "*"]) {
      expect(grants([feature], "skills.basic"), feature).toBe(false);
    }
    expect(grants(["skills.*"], "skills")).toBe(false);
    expect(grants([], "skills.basic")).toBe(false);
    expect(grants(["skills.basic"], "")).toBe(false);
  });

  it("has a lowest tier that grants it", () => {
    const catalogue = loadCatalogue();
    const first = (gate: string) => tierWith(catalogue, gate)?.id;
    expect(first("telemetry")).toBe("free");
    expect(first("agents.business")).toBe("pro");
    expect(first("presence")).toBe("team");
    expect(first("agents.anything-else")).toBe("enterprise");
    expect(first("audit_logs")).toBe("enterprise");
    expect(first("sso")).toBeUndefined();
  });

  it("requires only a lower tier whose wildcard covers it", () => {
    const [free, pro, ...more] = loadCatalogue().tiers;
    const tiers = [{ ...free!, adds: ["a.*"] }, { ...pro!, adds: ["b", "a.c"] }, ...more];
    expect(Object.entries(requiredTiers({ tiers })).slice(0, 3)).toEqual([
      ["a.*", "free"],
      ["b", "pro"],
      ["a.c", "free"],
    ]);
  });

  it("is granted by every tier above one that grants it", () => {
    const catalogue = loadCatalogue();
    const gates = [...new Set(catalogue.tiers.flatMap(({ adds }) => adds)), "agents.other", "sso"];
    fc.assert(
      fc.property(fc.constantFrom(...gates), fc.nat({ max: 2 }), (gate, index) => {
        const [lower, higher] = catalogue.tiers.slice(index, index + 2);
        if (!lower || !higher || !grants(featuresOf(catalogue, lower), gate)) return;
        expect(grants(featuresOf(catalogue, higher), gate)).toBe(true);
      }),
    );
  });
});

describe("a plans file", () => {
  it("replaces the bundled catalogue", () => {
    const file = fileWith(changed("tiers.0.limits.requestsPerHour", 7));
    expect(loadCatalogue(file).tiers[0]?.limits.requestsPerHour).toBe(7);
  });

  it("may hold upstreams alone, and leave the rest as it is bundled", () => {
    const upstreams = [{ name: "files", url: "https://files.example.com/mcp" }];
    expect(loadCatalogue(fileWith({ upstreams }))).toEqual({ ...loadCatalogue(), upstreams });
    expect(loadCatalogue(fileWith({}))).toEqual(loadCatalogue());
    for (const content of [[], "null", 5])
      expect(complaint(fileWith(content))).toContain("must be an object");
  });

  it("says itself which agents there are, if it has plans of its own", () => {
    const { agents: _, ...others } = bundled;
    expect(complaint(fileWith(others))).toContain("agents: is missing: it must be a list");
  });

  it("may omit the control lane, and gets the bundled one", () => {
    const { control, ...older } = bundled;
    expect(loadCatalogue(fileWith(older)).control).toEqual(control);
    const own = fileWith(changed("control.requestsPerMinute", 7));
    expect(loadCatalogue(own).control).toEqual({ requestsPerMinute: 7 });
  });

  it("may omit the burst", () => {
    const limits = { requestsPerMinute: 1, requestsPerHour: 2, requestsPerDay: 3 };
    expect(loadCatalogue(fileWith(changed("tiers.0.limits", limits))).tiers[0]?.limits).toEqual(limits);
  });

  it("may limit uses in a month, down to none", () => {
    const uses = { mcp_calls: 0, api_calls: 1000 };
    const { tiers } = loadCatalogue(fileWith(changed("tiers.0.limits.usesPerMonth", uses)));
    expect(tiers.map(({ limits }) => limits.usesPerMonth)).toEqual([uses, undefined, undefined, undefined]);
    for (const [type, most, fault] of [
      ["mcp_calls", -1, "must be at least 0"],
      ["mcp_calls", 0.5, "must be a whole number"],
      ["cups_of_tea", 5, "is not a known member"],
    ] as const) {
      const file = fileWith(changed("tiers.2.limits.usesPerMonth", { [type]: most }));
      expect(complaint(file)).toContain(`tiers.2.limits.usesPerMonth.${type}: ${fault}`);
    }
  });

  it("is named in the error if it is missing or not JSON", () => {
    expect(() => parseCatalogue({ tiers: [] })).toThrow(
      /^The catalogue cannot be used: tiers: must not be empty/,
    );
    expect(complaint("/nowhere/plans.json")).toMatch(/\/nowhere\/plans\.json cannot be used: ENOENT/);
    const file = fileWith("{ tiers");
    expect(complaint(file)).toContain(`The plans file ${file} cannot be used: `);
    expect(complaint(file)).toMatch(/JSON/);
  });

  it.each([
    ["tiers.0.limits.requestsPerMinute", "20"],
    ["tiers.1.limits.requestsPerDay", 0],
    ["tiers.1.limits.requestsPerDay", 1.5],
    ["tiers.2.limits.burst", 1],
    ["tiers.2.adds.0", "Agents Enterprise"],
    ["tiers.2.adds", undefined],
    ["tiers.3.id", "free"],
    ["tiers.3.price", 5],
    ["tiers", []],
    ["agents.0.area", "magic"],
    ["agents.1.id", "api-designer"],
    ["endpoints.usage", 5],
    ["anonymous.requestsPerMinute", -1],
    ["clients.tool-cli.name", ""],
    ["policy.onUnreachable", "allow"],
    ["policy.telemetry.flushAt", 0],
    ["policy.minimumCliVersion", "new"],
    ["plans", {}],
    ["tiers.0.id", "x".repeat(65)],
    ["tiers.0.id", ".free"],
    ["tiers.0.id", "free plan"],
    ["tiers.0.name", ""],
    ["tiers.1.limits.requestsPerDay", 1_000_000_001],
    ["tiers.0.bounds.documents", 0],
    ["tiers.0.bounds.streams", 2 ** 53],
    ["tiers.0.bounds.days", 1],
    ["tiers.2.adds.0", "*"],
    ["tiers.2.adds.0", "1a"],
    ["tiers.2.adds.0", "a."],
    ["tiers.2.adds.0", "a..b"],
    ["tiers.2.adds.0", "a.1b"],
    ["tiers.2.adds.0", "a.B"],
    ["tiers.2.adds.0", "a*"],
    ["tiers.2.adds.0", "a.*b"],
    ["control.requestsPerMinute", 0],
    ["agents.0.id", ""],
    ["agents.0.name", ""],
    ["clients.tool-cli.secretSha256", "A".repeat(64)],
    ["clients.tool-cli.secretSha256", "a".repeat(65)],
    ["clients.tool-cli.secretSha256", `x${"a".repeat(64)}`],
  ])("is refused if %s is %j, with file and place in the error", (path, value) => {
    const file = fileWith(changed(path, value));
    expect(complaint(file)).toContain(file);
    expect(complaint(file)).toContain(`${path}: `);
  });

  it("may omit bounds, and gets those of the bundled tier with the same id or position", () => {
    const without = (id: string, index: number) => {
      const { bounds: _, ...tier } = bundled.tiers[index]!;
      return { ...tier, id };
    };
    const older = { ...bundled, tiers: [without("team", 0), without("basic", 1), ...bundled.tiers.slice(3)] };
    const [team, basic] = loadCatalogue(fileWith({ ...older, agents: [] })).tiers;
    expect(team?.bounds).toEqual(bundled.tiers[2]?.bounds);
    expect(basic?.bounds).toEqual(bundled.tiers[1]?.bounds);
    const many = Array.from({ length: 6 }, (_, index) => without(`tier${index}`, 0));
    const { tiers } = loadCatalogue(fileWith({ ...bundled, tiers: many, agents: [] }));
    expect(tiers.at(-1)?.bounds).toEqual(bundled.tiers.at(-1)?.bounds);
    const own = { ...bundled.tiers[0]?.bounds, documents: 7 };
    expect(loadCatalogue(fileWith(changed("tiers.0.bounds", own))).tiers[0]?.bounds).toEqual(own);
  });

  it("may omit the limits of sign-in, and keeps those that it states", () => {
    const own = { "auth.token": { requests: 7, windowSeconds: 30 } };
    expect(loadCatalogue(fileWith(changed("endpoints", own))).endpoints).toEqual({
      ...own,
      "auth.register": bundled.endpoints["auth.register"],
    });
  });

  it.each([
    ["tiers.0.id", "-", "must be a name such as tool-cli"],
    ["tiers.0.adds.0", "skills.*.basic", "must be a gate such as skills.basic or skills.*"],
    ["tiers.0.limits.burst", 19, "must be at least requestsPerMinute"],
    ["clients.tool-cli.secretSha256", "0".repeat(63), "must be a SHA-256 digest in hex"],
    ["agents.1.id", bundled.agents[0]?.id, `"${bundled.agents[0]?.id}" is there twice`],
  ])("gets an error for %s of %j that says how to fix it: %s", (path, value, message) => {
    expect(complaint(fileWith(changed(path, value)))).toContain(`${path}: ${message}`);
  });

  it.each([
    ["tiers.0.limits.burst", 20],
    ["clients.web", { name: "Web", redirectUris: ["https://a.example"], secretSha256: "0".repeat(64) }],
    ["clients.signing", { name: "Signing", jwks: { keys: [{ kty: "OKP" }] } }],
    ["endpoints.usage", { requests: 1, windowSeconds: 86_400 }],
    ["endpoints.usage", { requests: 1_000_000_000, windowSeconds: 1 }],
    ["tiers.0.id", `0${"Aa._-".repeat(12)}xyz`],
    ["tiers.0.name", "x"],
    ["tiers.0.bounds.documents", 1],
    ["tiers.0.bounds.documents", Number.MAX_SAFE_INTEGER],
    ["tiers.2.adds.0", "a_1.b2_.c"],
    ["tiers.2.adds.0", "a.b.*"],
    ["tiers.2.adds.0", "a"],
    ["name", "Acme & Söhne"],
    ["name", "a".repeat(40)],
    ["upgradeUrl", "http://plane.example"],
    ["upgradeUrl", "https://plane.example/plans"],
    ["trial", { plan: "pro", days: 1 }],
    ["trial", { plan: "enterprise", days: 365 }],
  ])("may have %s: %j", (path, value) => {
    expect(complaint(fileWith(changed(path, value)))).toBe("none");
  });

  it.each([
    ["clients.signing.jwks.keys", { name: "Signing", jwks: { keys: [] } }],
    ["endpoints.usage.windowSeconds", { requests: 1, windowSeconds: 86_401 }],
    ["endpoints.usage.windowSeconds", { requests: 1, windowSeconds: 0 }],
    ["name", " "],
    ["name", "a".repeat(41)],
    ["name", "Acme\nInc"],
    ["name", "Acme\u202e"],
    ["upgradeUrl", "javascript:alert(1)"],
  ])("may not have %s of %j", (path, value) => {
    const place = path.split(".").slice(0, 2).join(".");
    expect(complaint(fileWith(changed(place, value)))).toContain(`${path}: `);
  });

  it.each([
    ["plan", { plan: "free", days: 14 }],
    ["plan", { plan: "gold", days: 14 }],
    ["days", { plan: "pro", days: 0 }],
    ["days", { plan: "pro", days: 366 }],
  ])("may not have a trial whose %s is as in %j", (member, trial) => {
    expect(complaint(fileWith(changed("trial", trial)))).toContain(`trial.${member}: `);
  });

  it("is refused if no tier has the gate of an agent's area", () => {
    const file = fileWith(changed("tiers.1.adds", []));
    const withoutWildcard = changed("tiers.3.adds", []) as typeof bundled;
    (withoutWildcard.tiers[1] as { adds: string[] }).adds = [];
    expect(complaint(file)).toBe("none");
    expect(complaint(fileWith(withoutWildcard))).toMatch(
      /agents\.\d+\.area: no tier adds the gate agents\.business/,
    );
  });

  it("is refused with all its faults in one error", () => {
    const twice = changed("tiers.0.id", "") as typeof bundled;
    twice.anonymous.requestsPerMinute = 0.5;
    expect(complaint(fileWith(twice))).toMatch(/tiers\.0\.id: .*; anonymous\.requestsPerMinute: /);
  });
});

describe("docs/extending/plans.md", () => {
  it("explains every member of the plans file", () => {
    const page = readFileSync(resolve(import.meta.dirname, "../../docs/extending/plans.md"), "utf8");
    const { anonymous, control, endpoints, tiers, policy } = bundled;
    const { telemetry, ...rest } = policy;
    const [tier] = tiers;
    const records = [
      bundled,
      endpoints["usage.track"],
      tier,
      tier?.limits,
      tier?.bounds,
      telemetry,
      rest,
      anonymous,
      control,
    ];
    const names = records.flatMap((record) => Object.keys(record ?? {}));
    const reference = page.slice(page.indexOf("## What the file holds"));
    expect(
      [...names, "name", "trial", "upstreams", "upgradeUrl"].filter((name) => !reference.includes(name)),
    ).toEqual([]);
  });
});
