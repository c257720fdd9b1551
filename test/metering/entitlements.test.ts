import { compactVerify, createLocalJWKSet } from "jose";
import { describe, expect, it } from "vitest";
import { accounts } from "../../src/accounts/model.ts";
import type { Caller } from "../../src/contract/caller.ts";
import { type Entitlements, SignedEntitlements } from "../../src/metering/contract.ts";
import { createEntitlements } from "../../src/metering/entitlements.ts";
import { loadCatalogue } from "../../src/metering/plans.ts";
import { GLOBAL } from "../../src/store/store.ts";
import { ACCOUNT, CALLER, ISSUER, inProject, type Metering, openMetering } from "./metering.ts";

const MINUTE = 60_000;

async function resolved(metering: Metering, caller = {}): Promise<Entitlements> {
  return (await metering.api.resolveEntitlements({}, caller)).body;
}

async function etagOf({ api }: Metering, caller = {}): Promise<string> {
  return (await api.resolveEntitlements({}, caller)).headers.ETag as string;
}

/** Verifies a document as a client does that trusts only the signature. */
async function verified(metering: Metering, document: Entitlements): Promise<SignedEntitlements> {
  const keys = createLocalJWKSet(await metering.signingKeys.jwks());
  const { payload, protectedHeader } = await compactVerify(document.signature, keys);
  expect(protectedHeader).toMatchObject({ alg: "EdDSA", typ: "entitlements+jwt" });
  return SignedEntitlements.parse(JSON.parse(new TextDecoder().decode(payload)));
}

function countSignatures(metering: Metering): () => number {
  let signatures = 0;
  const { sign } = metering.signingKeys;
  metering.signingKeys.sign = (payload, typ) => {
    signatures++;
    return sign(payload, typ);
  };
  return () => signatures;
}

describe("the resolved entitlements", () => {
  it("contain plan, gates, agent tiers, limits and policy", async () => {
    const metering = await openMetering();
    await metering.setAccount({ plan: "pro" });
    expect(await resolved(metering)).toEqual({
      plan: "pro",
      tier: "pro",
      plans: { free: "Free", pro: "Pro", team: "Team", enterprise: "Enterprise" },
      account: { id: ACCOUNT, name: "One" },
      project: null,
      features: [
        "agents.technical",
        "skills.basic",
        "workflows.basic",
        "telemetry",
        "agents.business",
        "skills.advanced",
        "workflows.advanced",
        "priority_support",
      ],
      gates: {
        "agents.technical": "free",
        "skills.basic": "free",
        "workflows.basic": "free",
        telemetry: "free",
        "agents.business": "pro",
        "skills.advanced": "pro",
        "workflows.advanced": "pro",
        priority_support: "pro",
        "agents.enterprise": "team",
        "skills.enterprise": "team",
        "workflows.enterprise": "team",
        team_features: "team",
        presence: "team",
        audit_logs: "enterprise",
        custom_policies: "enterprise",
        "agents.*": "enterprise",
        "skills.*": "enterprise",
        "workflows.*": "enterprise",
      },
      agents: {
        required: expect.objectContaining({ "fundraising-expert": "pro", "compliance-officer": "team" }),
        denied: expect.arrayContaining(["compliance-officer"]),
      },
      limits: { requestsPerMinute: 60, requestsPerHour: 1000, requestsPerDay: 10_000, burst: 120 },
      policy: metering.catalogue.policy,
      resolvedAt: "2026-01-15T12:00:00.000Z",
      expiresAt: "2026-01-15T12:05:00.000Z",
      signature: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
  });

  it.each(["free", "pro", "team", "enterprise"])("name on %s the lowest tier of each gate", async (plan) => {
    const metering = await openMetering();
    await metering.setAccount({ plan });
    const { features, gates } = await resolved(metering);
    const order = metering.catalogue.tiers.map(({ id }) => id);
    const reached = Object.keys(gates).filter(
      (gate) => order.indexOf(gates[gate] as string) <= order.indexOf(plan),
    );
    expect(reached).toEqual(features);
  });

  it.each(["free", "pro", "team", "enterprise"])(
    "deny on %s exactly the agents of higher tiers",
    async (plan) => {
      const metering = await openMetering();
      await metering.setAccount({ plan });
      const { agents } = await resolved(metering);
      const order = metering.catalogue.tiers.map(({ id }) => id);
      const higher = Object.entries(agents.required).filter(
        ([, tier]) => order.indexOf(tier) > order.indexOf(plan),
      );
      expect(agents.denied.toSorted()).toEqual(higher.map(([id]) => id).toSorted());
      expect(Object.values(agents.required)).not.toContain("free");
    },
  );

  it("contain the account's own limits, and the plan's for the rest", async () => {
    const metering = await openMetering();
    await metering.setAccount({
      plan: "enterprise",
      limits: { requestsPerMinute: 9000, requestsPerDay: 5_000_000 },
    });
    expect((await resolved(metering)).limits).toEqual({
      requestsPerMinute: 9000,
      requestsPerHour: 60_000,
      requestsPerDay: 5_000_000,
      burst: 18_000,
    });
  });

  it("follow the project's plan in their gates and the account's plan in their limits", async () => {
    const metering = await openMetering();
    await metering.projects.update(CALLER, "gift", { plan: "enterprise" });
    const document = await resolved(metering, inProject("gift"));
    expect(document).toMatchObject({ plan: "team", tier: "enterprise", project: { id: "gift" } });
    expect(document.features).toContain("agents.*");
    expect(document.agents.denied).toEqual([]);
    expect(document.limits.requestsPerMinute).toBe(120);
    expect((await resolved(metering)).tier).toBe("team");
  });

  it("name the requested project, known or not, and do not create it", async () => {
    const metering = await openMetering();
    expect(await resolved(metering, inProject("unknown"))).toMatchObject({
      project: { id: "unknown" },
      tier: "team",
    });
    expect((await metering.projects.list(ACCOUNT, { limit: 10 })).items).toEqual([]);
  });

  it("are the same by POST with any context", async () => {
    const { api } = await openMetering();
    const byGet = await api.resolveEntitlements({}, inProject("web"));
    const byPost = await api.resolveEntitlementsFor(
      { projectId: "web", context: { branch: "main", nested: { deep: [1] } } },
      inProject("web"),
    );
    expect(byPost).toEqual(byGet);
  });

  it("turn telemetry off if the tier lacks its gate", async () => {
    const catalogue = loadCatalogue();
    const [free] = catalogue.tiers;
    if (free) free.adds = free.adds.filter((gate) => gate !== "telemetry");
    const metering = await openMetering({ catalogue });
    expect((await resolved(metering)).policy.telemetry.enabled).toBe(false);
  });

  it("fall back to the lowest tier if the catalogue does not know the plan", async () => {
    const metering = await openMetering();
    await metering.setAccount({ plan: "platinum" });
    expect(await resolved(metering)).toMatchObject({ plan: "platinum", tier: "free" });
  });

  it("are refused with 401 if the account was deleted", async () => {
    const { api } = await openMetering();
    await expect(api.resolveEntitlements({}, { accountId: "acc_gone" })).rejects.toMatchObject({
      status: 401,
    });
  });
});

describe("the cache of signed documents", () => {
  it("holds at most 10,000 and evicts the one that was signed first", async () => {
    const { store, clock, catalogue, signingKeys } = await openMetering();
    let signatures = 0;
    const sign = async () => `signature ${++signatures}`;
    const entitlements = createEntitlements({
      store,
      clock,
      catalogue,
      signingKeys: { ...signingKeys, sign },
      issuer: () => ISSUER,
    });
    const ask = async (key: number) => {
      const credential = { kind: "api_key", id: `key_${key}`, scopes: ["read"] };
      await entitlements.resolve({
        accountId: ACCOUNT,
        projectNamed: false,
        credential,
      } as unknown as Caller);
      return signatures;
    };
    for (let key = 0; key < 10_000; key++) await ask(key);
    expect(await ask(0)).toBe(10_000);
    expect(await ask(10_000)).toBe(10_001);
    expect(await ask(1)).toBe(10_001);
    expect(await ask(0)).toBe(10_002);
  });
});

describe("the signature of the entitlement document", () => {
  it("covers every other member, the issuer and the credential", async () => {
    const metering = await openMetering();
    const { signature, ...rest } = await resolved(metering, inProject("web"));
    const claims = await verified(metering, { signature, ...rest });
    expect(claims).toEqual({ iss: ISSUER, credential: { id: "key_one" }, ...rest });
  });

  it("differs for another credential, project or account", async () => {
    const metering = await openMetering();
    const other = { credential: { kind: "api_key", id: "key_two", scopes: ["read"] } } as const;
    const two = { id: "acc_two", name: "One", plan: "team", createdAt: metering.clock.now() };
    await metering.store.transact((tx) => tx.put(accounts, GLOBAL, two.id, two));
    const documents = [
      await resolved(metering),
      await resolved(metering, other),
      await resolved(metering, inProject("web")),
      await resolved(metering, inProject("default")),
      await resolved(metering, { accountId: two.id }),
    ];
    const claims = await Promise.all(documents.map((document) => verified(metering, document)));
    expect(claims.map(({ credential }) => credential.id)).toEqual([
      "key_one",
      "key_two",
      "key_one",
      "key_one",
      "key_one",
    ]);
    expect(claims.map(({ project }) => project?.id)).toEqual([
      undefined,
      undefined,
      "web",
      "default",
      undefined,
    ]);
    expect(claims.map(({ account }) => account.id)).toEqual([...Array(4).fill(ACCOUNT), two.id]);
    expect(new Set(documents.map(({ signature }) => signature)).size).toBe(5);
  });

  it("can be verified offline for as long as the document is usable, even after a rotation", async () => {
    const metering = await openMetering();
    const document = await resolved(metering);
    await metering.signingKeys.rotate();
    const last = Date.parse(document.expiresAt) + document.policy.offlineGraceSeconds * 1000;
    metering.clock.advance(last - metering.clock.now());
    await verified(metering, document);
  });

  it("uses the new key once the document is signed again after a rotation", async () => {
    const metering = await openMetering();
    await resolved(metering);
    const { kid } = await metering.signingKeys.rotate();
    metering.clock.advance(3 * MINUTE);
    const { signature } = await resolved(metering);
    expect(JSON.parse(Buffer.from(signature.split(".")[0] as string, "base64url").toString()).kid).toBe(kid);
  });
});

describe("the signed entitlement document", () => {
  it("is signed once and sent unchanged until half its lifetime is over", async () => {
    const metering = await openMetering();
    const signatures = countSignatures(metering);
    const first = await metering.api.resolveEntitlements({});
    metering.clock.advance(2.5 * MINUTE - 1);
    const second = await metering.api.resolveEntitlements({});
    expect([second.raw, second.headers.ETag]).toEqual([first.raw, first.headers.ETag]);
    expect(signatures()).toBe(1);
    metering.clock.advance(1);
    const third = await metering.api.resolveEntitlements({});
    expect(third.headers.ETag).not.toBe(first.headers.ETag);
    expect(third.body.expiresAt).toBe("2026-01-15T12:07:30.000Z");
    expect(signatures()).toBe(2);
  });

  it("is not signed again if the account was written without a relevant change", async () => {
    const metering = await openMetering();
    const count = countSignatures(metering);
    const first = await resolved(metering);
    metering.clock.advance(1000);
    await metering.setAccount({ endedKeys: [] });
    expect(await resolved(metering)).toEqual(first);
    expect(count()).toBe(1);
    for (const change of [{ name: "Two" }, { plan: "pro" }, { limits: { burst: 500 } }]) {
      await metering.setAccount(change);
      expect(await resolved(metering)).not.toEqual(first);
    }
    expect(count()).toBe(4);
  });

  it("is signed once for 100 concurrent requests", async () => {
    const metering = await openMetering();
    const signatures = countSignatures(metering);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => metering.api.resolveEntitlements({})),
    );
    expect(new Set(answers.map(({ headers }) => headers.ETag)).size).toBe(1);
    expect(signatures()).toBe(1);
  });

  it("has a strong ETag and private caching for the rest of its lifetime, and varies by credential", async () => {
    const { api, clock } = await openMetering();
    const { headers } = await api.resolveEntitlements({});
    expect(headers).toEqual({
      ETag: expect.stringMatching(/^"[\w-]{43}"$/),
      "Cache-Control": "private, max-age=300",
      Vary: "Authorization, X-API-Key, X-Project-Id",
    });
    clock.advance(100_500);
    expect((await api.resolveEntitlements({})).headers["Cache-Control"]).toBe("private, max-age=199");
  });

  it.each([
    ["the account's plan", (m: Metering) => m.setAccount({ plan: "free" })],
    ["the account's limits", (m: Metering) => m.setAccount({ limits: { requestsPerHour: 6000 } })],
    ["the account's name", (m: Metering) => m.setAccount({ name: "Uno" })],
    ["the project's plan", (m: Metering) => m.projects.update(CALLER, "web", { plan: "free" })],
  ])("is signed again at once when %s changes", async (_, change) => {
    const metering = await openMetering();
    const before = await etagOf(metering, inProject("web"));
    await change(metering);
    const after = await etagOf(metering, inProject("web"));
    expect(after).not.toBe(before);
    expect(await etagOf(metering, inProject("web"))).toBe(after);
  });

  it("is signed again if the clock was set back", async () => {
    const metering = await openMetering();
    await resolved(metering);
    metering.clock.jump(-10 * MINUTE);
    expect((await resolved(metering)).resolvedAt).toBe("2026-01-15T11:50:00.000Z");
  });

  it("is not cached if signing failed", async () => {
    const metering = await openMetering();
    const { sign } = metering.signingKeys;
    metering.signingKeys.sign = () => Promise.reject(new Error("no key"));
    await expect(resolved(metering)).rejects.toThrow("no key");
    metering.signingKeys.sign = sign;
    expect((await resolved(metering)).tier).toBe("team");
  });
});
