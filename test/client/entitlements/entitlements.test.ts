import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createApiClient } from "../../../src/client/api-client.ts";
import type { EntitlementDocument } from "../../../src/client/entitlements/entitlement-document.ts";
import { createEntitlements } from "../../../src/client/entitlements/entitlements.ts";
import type { CachedEntitlements } from "../../../src/client/entitlements/entitlements-cache.ts";
import {
  SignedOut,
  UnexpectedAnswer,
  Unreachable,
  UntrustedEntitlements,
} from "../../../src/client/errors.ts";
import { Problem } from "../../../src/contract/problem.ts";
import { OWNER_KEY, startApp } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";
import { seededRandom } from "../../support/random.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { storedCredential, tokenFromEnvironment } from "../support/credentials.ts";
import { problem, type Reaction, type Seen, startServer, type TestServer } from "../support/server.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let server: TestServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

function document(more: object = {}): EntitlementDocument {
  return {
    plan: "pro",
    tier: "pro",
    plans: { free: "No charge", pro: "Professional", team: "Crew", enterprise: "Everybody" },
    account: { id: "acc_1", name: "Ours" },
    project: null,
    features: ["agents.technical", "skills.*"],
    gates: {
      "agents.technical": "free",
      "skills.*": "pro",
      "agents.enterprise": "team",
      "agents.*": "enterprise",
    },
    agents: {
      required: { "fundraising-expert": "pro", "risk-auditor": "enterprise" },
      denied: ["risk-auditor"],
    },
    limits: { requestsPerMinute: 60, requestsPerHour: 1000, requestsPerDay: 10000, burst: 120 },
    policy: {
      profile: "default",
      telemetry: { enabled: true, flushAt: 20, flushIntervalSeconds: 10, maxQueueEvents: 100_000 },
      offlineGraceSeconds: 86_400,
      onUnreachable: "deny",
      minimumCliVersion: "0.1.0",
    },
    resolvedAt: new Date(NOW).toISOString(),
    expiresAt: new Date(NOW + 5 * MINUTE).toISOString(),
    ...more,
  };
}

const keys = generateKeyPairSync("ed25519");
const strangersKeys = generateKeyPairSync("ed25519");
const jwk = { ...keys.publicKey.export({ format: "jwk" }), kid: "k1" };

function signed(payload: object, header: object = {}, key: KeyObject = keys.privateKey): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const content = `${encode({ alg: "EdDSA", kid: "k1", typ: "entitlements+jwt", ...header })}.${encode(payload)}`;
  return `${content}.${sign(null, Buffer.from(content), key).toString("base64url")}`;
}

/** Creates a client of a server that resolves to `signature`. The server's `state` can be changed meanwhile. */
async function setUp(signature: (iss: string) => unknown, projectId?: string) {
  const state = { signature, account: "acc_1", credential: "tok_1", jwks: [jwk] as object[] };
  const answer = ({ path, headers }: Seen): Reaction => {
    if (path === "/.well-known/jwks.json") return { body: { keys: state.jwks } };
    if (path === "/api/v1/account") {
      return { body: { account: { id: state.account }, credential: { id: state.credential } } };
    }
    if (headers["if-none-match"] === '"1"') return { status: 304, headers: { etag: '"1"' } };
    return { headers: { etag: '"1"' }, body: { signature: state.signature(server?.baseUrl ?? "") } };
  };
  server = await startServer(answer);
  const clock = fakeClock(NOW);
  const credentials = storedCredential({ accessToken: "tat_1", account: { id: "acc_1", name: "Ours" } });
  const api = createApiClient({
    baseUrl: server.baseUrl,
    credentials,
    clock,
    random: seededRandom(clock),
    ...(projectId && { projectId }),
  });
  const cacheDirectory = join(temporaryDirectory(), "cache");
  const policies: unknown[] = [];
  const onPolicy = (policy: unknown) => policies.push(policy);
  const entitlements = createEntitlements({ api, credentials, clock, cacheDirectory, onPolicy });
  const paths = () => server?.seen.map(({ path }) => path);
  return { state, clock, credentials, entitlements, cacheDirectory, policies, paths, answer };
}

const ours =
  (more: object = {}) =>
  (iss: string) =>
    signed({ iss, credential: { id: "tok_1" }, ...document(), ...more });

describe("resolve()", () => {
  it("returns the signed document and caches it in a file that only its user can read", async () => {
    const { entitlements, cacheDirectory, policies, paths } = await setUp(ours());
    const resolved = await entitlements.resolve();
    expect(resolved).toEqual({
      document: document(),
      source: "server",
      standing: "current",
      graceEndsAt: NOW + 5 * MINUTE + 24 * HOUR,
    });
    expect(policies).toEqual([document().policy]);
    expect(paths()).toEqual(["/api/v1/account", "/api/v1/entitlements/resolve", "/.well-known/jwks.json"]);
    expect(statSync(cacheDirectory).mode & 0o777).toBe(0o700);
    const [file = ""] = readdirSync(cacheDirectory);
    expect(statSync(join(cacheDirectory, file)).mode & 0o777).toBe(0o600);
  });

  it("works if the cache cannot be written", async () => {
    const { entitlements, cacheDirectory } = await setUp(ours());
    symlinkSync(join(cacheDirectory, "../gone"), cacheDirectory);
    expect((await entitlements.resolve()).source).toBe("server");
    expect(existsSync(cacheDirectory)).toBe(false);
  });

  it("asks the server each time, which may answer 304", async () => {
    const { entitlements, paths } = await setUp(ours());
    await entitlements.resolve();
    expect((await entitlements.resolve()).source).toBe("server");
    expect(paths()?.slice(3)).toEqual(["/api/v1/entitlements/resolve"]);
  });

  it("uses the cache with fresh: false until the document expires", async () => {
    const { entitlements, paths, clock } = await setUp(ours());
    await entitlements.resolve();
    expect(await entitlements.resolve({ fresh: false })).toMatchObject({
      source: "cache",
      standing: "current",
    });
    expect(paths()).toHaveLength(3);
    clock.advance(6 * MINUTE);
    expect((await entitlements.resolve({ fresh: false })).source).toBe("server");
  });

  it("fetches the keys again if a document is signed with a new key", async () => {
    const { entitlements, state, paths, cacheDirectory, clock } = await setUp(ours());
    await entitlements.resolve();
    const next = generateKeyPairSync("ed25519");
    state.jwks = [jwk, { ...next.publicKey.export({ format: "jwk" }), kid: "k2" }];
    state.credential = "tok_2";
    state.signature = (iss) =>
      signed({ iss, credential: { id: "tok_2" }, ...document() }, { kid: "k2" }, next.privateKey);
    const credentials = storedCredential({ accessToken: "tat_2" });
    const api = createApiClient({
      baseUrl: server?.baseUrl ?? "",
      credentials,
      clock,
      random: seededRandom(clock),
    });
    const renewed = createEntitlements({ api, credentials, clock, cacheDirectory });
    expect((await renewed.resolve()).source).toBe("server");
    expect(paths()?.slice(3)).toEqual([
      "/api/v1/account",
      "/api/v1/entitlements/resolve",
      "/.well-known/jwks.json",
    ]);
  });

  it.each<[string, (iss: string) => unknown]>([
    [
      "another key",
      (iss) => signed({ iss, credential: { id: "tok_1" }, ...document() }, {}, strangersKeys.privateKey),
    ],
    [
      "no key that is known",
      (iss) => signed({ iss, credential: { id: "tok_1" }, ...document() }, { kid: "k9" }),
    ],
    ["no algorithm", (iss) => signed({ iss, credential: { id: "tok_1" }, ...document() }, { alg: "none" })],
    ["another purpose", (iss) => signed({ iss, credential: { id: "tok_1" }, ...document() }, { typ: "JWT" })],
    ["another server", () => ours()("https://elsewhere.example")],
    ["another server of this machine", (iss) => ours()(iss.replace(/:\d+$/, ":1"))],
    ["another path of this server", (iss) => ours()(`${iss.replace("127.0.0.1", "localhost")}/other`)],
    ["another protocol", (iss) => ours()(iss.replace("http:", "https:"))],
    ["an issuer that is no address", () => ours()("somebody")],
    ["another account", ours({ account: { id: "acc_2", name: "Theirs" } })],
    ["another credential", ours({ credential: { id: "tok_2" } })],
  ])("does not trust a document with %s", async (_, signature) => {
    const { entitlements, cacheDirectory, policies } = await setUp(signature);
    await expect(entitlements.resolve()).rejects.toBeInstanceOf(UntrustedEntitlements);
    expect(policies).toEqual([]);
    expect(() => readdirSync(cacheDirectory)).toThrow("ENOENT");
  });

  it("does not trust a document that was changed after it was signed", async () => {
    const { entitlements } = await setUp((iss) => {
      const [head, , signature] = ours()(iss).split(".");
      const forged = { iss, credential: { id: "tok_1" }, ...document({ tier: "enterprise" }) };
      return [head, Buffer.from(JSON.stringify(forged)).toString("base64url"), signature].join(".");
    });
    await expect(entitlements.resolve()).rejects.toBeInstanceOf(UntrustedEntitlements);
  });

  it.each([{ id: "other" }, null])("does not trust a document for another project, %j", async (project) => {
    const { entitlements } = await setUp(ours({ project }), "shop");
    await expect(entitlements.resolve()).rejects.toBeInstanceOf(UntrustedEntitlements);
  });

  it("throws UnexpectedAnswer for an answer without a signature", async () => {
    const { entitlements } = await setUp(() => undefined);
    await expect(entitlements.resolve()).rejects.toBeInstanceOf(UnexpectedAnswer);
  });

  it("throws the server's 403 instead of using the cache", async () => {
    const { entitlements } = await setUp(ours());
    await entitlements.resolve();
    server?.react(() => problem(403, "insufficient_scope"));
    await expect(entitlements.resolve()).rejects.toBeInstanceOf(Problem);
  });
});

describe("the entitlements cache without a server", () => {
  async function offline() {
    const all = await setUp(ours());
    await all.entitlements.resolve();
    server?.react(() => "tear");
    return all;
  }

  it("serves as current, then as in grace, then as expired", async () => {
    const { entitlements, clock } = await offline();
    const standing = async () => (await entitlements.resolve()).standing;
    expect(await standing()).toBe("current");
    clock.advance(5 * MINUTE);
    expect(await standing()).toBe("grace");
    clock.advance(24 * HOUR - 1);
    expect(await standing()).toBe("grace");
    clock.advance(1);
    expect(await standing()).toBe("expired");
  });

  it("serves as expired if the clock was set back", async () => {
    const { entitlements, clock } = await offline();
    clock.jump(-HOUR);
    expect((await entitlements.resolve({ offline: true })).standing).toBe("expired");
  });

  it("serves while the server answers 429 or 500", async () => {
    const { entitlements } = await offline();
    for (const status of [429, 500]) {
      server?.react(() =>
        problem(status, status === 429 ? "rate_limited" : "internal_error", { "retry-after": "99" }),
      );
      expect((await entitlements.resolve()).source).toBe("cache");
    }
  });

  it("serves a renewed token of the same account", async () => {
    const { entitlements, credentials } = await offline();
    credentials.stored = { accessToken: "tat_2", account: { id: "acc_1", name: "Ours" } };
    expect((await entitlements.resolve({ offline: true })).document.tier).toBe("pro");
  });

  it("does not serve another account, or a client that is signed out", async () => {
    const { entitlements, credentials } = await offline();
    credentials.stored = { accessToken: "tat_3", account: { id: "acc_2", name: "Theirs" } };
    await expect(entitlements.resolve({ offline: true })).rejects.toBeInstanceOf(Unreachable);
    credentials.stored = undefined;
    await expect(entitlements.resolve({ offline: true })).rejects.toBeInstanceOf(SignedOut);
  });

  it.each<[string, (kept: CachedEntitlements) => unknown]>([
    ["cut off", () => "{"],
    ["emptied", () => ({})],
    ["null", () => null],
    ["a list", () => []],
    ["without keys", ({ keys, ...kept }) => kept],
    ["without a subject", ({ subject, ...kept }) => kept],
    ["with a signature that is no text", (kept) => ({ ...kept, signature: 5 })],
    ["with a key that is none", (kept) => ({ ...kept, keys: [null] })],
    [
      "edited to another tier",
      (kept) => {
        const [head, payload = "", signature] = kept.signature.split(".");
        const edited = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), tier: "enterprise" };
        const forged = Buffer.from(JSON.stringify(edited)).toString("base64url");
        return { ...kept, signature: [head, forged, signature].join(".") };
      },
    ],
    ["edited to another account", (kept) => ({ ...kept, subject: { ...kept.subject, accountId: "acc_2" } })],
  ])(
    "does not serve if it is damaged or edited (%s), and is replaced by the next answer",
    async (_, change) => {
      const { entitlements, cacheDirectory, answer } = await offline();
      const file = join(cacheDirectory, readdirSync(cacheDirectory)[0] ?? "");
      const intact = readFileSync(file, "utf8");
      const changed = change(JSON.parse(intact));
      writeFileSync(file, typeof changed === "string" ? changed : JSON.stringify(changed));
      await expect(entitlements.resolve({ offline: true })).rejects.toBeInstanceOf(Unreachable);
      await expect(entitlements.resolve()).rejects.toMatchObject({
        name: "Unreachable",
        delivery: "unknown",
      });
      server?.react(answer);
      expect(await entitlements.resolve()).toMatchObject({ source: "server", document: { tier: "pro" } });
      expect(JSON.parse(readFileSync(file, "utf8")).subject).toEqual(JSON.parse(intact).subject);
      expect((await entitlements.resolve({ offline: true })).source).toBe("cache");
    },
  );

  it("does not serve once it was forgotten", async () => {
    const { entitlements } = await offline();
    await entitlements.forget();
    await expect(entitlements.resolve({ offline: true })).rejects.toBeInstanceOf(Unreachable);
  });
});

describe("check()", () => {
  const entitlements = createEntitlements({
    api: { baseUrl: "http://127.0.0.1:1" } as never,
    credentials: tokenFromEnvironment("tat_1"),
    clock: fakeClock(NOW),
    cacheDirectory: "/nowhere",
  });
  const check = (gate: string, more: object = {}, standing: "current" | "expired" = "current") =>
    entitlements.check(gate, { document: document(more), source: "cache", standing, graceEndsAt: NOW });

  it.each([
    ["agents.technical", true, "free", 'The Professional plan has "agents.technical".'],
    [
      "agents.enterprise",
      false,
      "team",
      '"agents.enterprise" needs the Crew plan; this account is on Professional.',
    ],
    [
      "agents.other",
      false,
      "enterprise",
      '"agents.other" needs the Everybody plan; this account is on Professional.',
    ],
    ["skills.advanced", true, "pro", 'The Professional plan has "skills.advanced" as part of "skills.*".'],
    ["skills", false, undefined, 'The Professional plan does not have "skills".'],
    ["fundraising-expert", true, "pro", 'The Professional plan has "fundraising-expert".'],
    [
      "risk-auditor",
      false,
      "enterprise",
      '"risk-auditor" needs the Everybody plan; this account is on Professional.',
    ],
    ["constructor", false, undefined, 'The Professional plan does not have "constructor".'],
  ])("answers for %s", (gate, allowed, requiredTier, reason) => {
    expect(check(gate)).toEqual({ gate, allowed, tier: "pro", requiredTier, reason, standing: "current" });
  });

  it.each([
    ["agents.enterprize", false, ["agents.enterprise"]],
    ["agents.technicl", false, ["agents.technical"]],
    ["agents.tech", false, ["agents.technical"]],
    ["agent.enterprise", false, ["agents.enterprise"]],
    ["AGENTS_TECHNICAL", false, ["agents.technical"]],
    ["fundraising-exprt", false, ["fundraising-expert"]],
    ["riskauditor", false, ["risk-auditor"]],
  ])("suggests a similar name for %s", (gate, allowed, didYouMean) => {
    const question = `Did you mean ${didYouMean.join(", ")}?`;
    expect(check(gate)).toMatchObject({ allowed, didYouMean, reason: expect.stringContaining(question) });
  });

  it("suggests a similar name even if a wildcard allows the gate", () => {
    const features = ["agents.technical", "agents.*"];
    expect(check("agents.technicle", { tier: "enterprise", features })).toMatchObject({
      allowed: true,
      didYouMean: ["agents.technical"],
      reason:
        'The Everybody plan has "agents.technicle" as part of "agents.*". Did you mean agents.technical?',
    });
  });

  it.each([
    "agents.pro",
    "agents.team",
    "agents.technical.reports",
    "agents.ours",
    "skills.basic",
    "agents.*",
  ])("suggests no other name for %s", (gate) => {
    expect(check(gate)).not.toHaveProperty("didYouMean");
  });

  it("names no required tier if the server sends no gates", () => {
    const reason = 'The Professional plan does not have "agents.enterprise".';
    expect(check("agents.enterprise", { gates: undefined })).toMatchObject({ allowed: false, reason });
  });

  it("names plans by their ids if the server does not send their names", () => {
    const reason = '"agents.enterprise" needs the team plan; this account is on pro.';
    expect(check("agents.enterprise", { plans: undefined })).toMatchObject({ reason });
  });

  it("says where to get the plan if the server does", () => {
    const upgradeUrl = "https://up.example/plans";
    const reason =
      '"agents.enterprise" needs the Crew plan; this account is on Professional. Get it at https://up.example/plans';
    expect(check("agents.enterprise", { upgradeUrl })).toMatchObject({ allowed: false, reason });
  });

  it("names the project instead of the account if the project has its own plan", () => {
    const reason = '"agents.enterprise" needs the Crew plan; this project is on No charge.';
    expect(check("agents.enterprise", { tier: "free" })).toMatchObject({ tier: "free", reason });
  });

  it("answers as the policy says once the grace period is over", () => {
    expect(check("agents.technical", {}, "expired")).toMatchObject({ allowed: false });
    const policy = { ...document().policy, onUnreachable: "cached" };
    expect(check("agents.technical", { policy }, "expired")).toMatchObject({
      allowed: true,
      standing: "expired",
    });
  });
});

it("the entitlements client trusts the real server's document under 127.0.0.1 and localhost", async () => {
  const app = await startApp();
  for (const baseUrl of [app.url, app.url.replace("127.0.0.1", "localhost")]) {
    const clock = fakeClock(Date.parse(new Date(NOW).toISOString()));
    const credentials = tokenFromEnvironment(OWNER_KEY);
    const api = createApiClient({
      baseUrl,
      credentials,
      clock,
      random: seededRandom(clock),
      projectId: "größe",
    });
    const entitlements = createEntitlements({
      api,
      credentials,
      clock,
      cacheDirectory: temporaryDirectory(),
    });
    const first = await entitlements.resolve();
    expect(first).toMatchObject({
      source: "server",
      document: { tier: "enterprise", project: { id: "größe" } },
    });
    expect(await entitlements.resolve()).toEqual(first);
    expect(entitlements.check("agents.anything", first).allowed).toBe(true);
  }
});
