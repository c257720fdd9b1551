import { hash } from "node:crypto";
import { type Account, accounts, type Project, projects } from "../accounts/model.ts";
import { plansOf } from "../accounts/next-plan.ts";
import type { Caller } from "../contract/caller.ts";
import { Reply } from "../contract/endpoint.ts";
import { grants } from "../contract/gate.ts";
import { Problem } from "../contract/problem.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../store/store.ts";
import { type Clock, iso } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import { MINUTE_MS } from "../system/durations.ts";
import type { Entitlements, SignedEntitlements } from "./contract.ts";
import { effectiveLimits } from "./limits/rate-limit.ts";
import { usesPerMonthOf } from "./limits/use-limits.ts";
import {
  type Catalogue,
  featuresOf,
  mayUse,
  requiredTier,
  requiredTiers,
  type Tier,
  tierOf,
} from "./plans.ts";
import type { SigningKeys } from "./signing-keys/signing-keys.ts";

/** Validity of a document. After half of it, a new one is signed. */
const LIFETIME_MS = 5 * MINUTE_MS;

/** Returns how long a document may be in use, offline too. */
export function usableMs({ policy }: Pick<Catalogue, "policy">): number {
  return LIFETIME_MS + policy.offlineGraceSeconds * 1000;
}

/** Documents cached, about 6 KB each. The one signed longest ago is evicted. */
const MAX_DOCUMENTS = 10_000;

/** RFC 8725 §3.11: the `typ` of the token, so that no other token is accepted in its place. */
const TOKEN_TYPE = "entitlements+jwt";

/** The input of a document. If any of it changes, the document does. */
interface Holder {
  account: Account;
  /** Null where the request names no project. */
  projectId: string | null;
  project?: Project | undefined;
}

interface Signed {
  holder: Holder;
  resolvedAt: number;
  content: Promise<Content>;
  /** Set when the document is signed. */
  ready?: Content;
}

interface Content {
  document: Entitlements;
  /** The bytes to send. */
  body: Buffer;
  etag: string;
}

export function createEntitlements({
  store,
  clock,
  catalogue,
  signingKeys,
  issuer,
}: {
  store: Store;
  clock: Clock;
  catalogue: Catalogue;
  signingKeys: SigningKeys;
  /** Returns the base URL, which is known once the server listens. */
  issuer: () => string;
}) {
  const rights = new Map(catalogue.tiers.map((tier) => [tier, rightsOf(catalogue, tier)]));
  const names = Object.fromEntries(catalogue.tiers.map(({ id, name }) => [id, name]));
  const documents = new Map<string, Signed>();

  function tierFor({ account, project }: Holder): Tier {
    return tierOf(catalogue, project?.plan ?? account.plan);
  }

  function claimsFor(holder: Holder, now: number): Omit<Entitlements, "signature"> {
    const { account, projectId } = holder;
    const tier = tierFor(holder);
    const { features, gates, agents, policy } = rights.get(tier) as ReturnType<typeof rightsOf>;
    return {
      ...plansOf(account),
      tier: tier.id,
      plans: names,
      account: { id: account.id, name: account.name },
      project: projectId === null ? null : { id: projectId },
      features,
      gates,
      agents,
      limits: {
        ...effectiveLimits(tierOf(catalogue, account.plan).limits, account.limits),
        ...defined({ usesPerMonth: usesPerMonthOf(catalogue, account) }),
      },
      policy,
      ...(catalogue.upgradeUrl !== undefined && { upgradeUrl: catalogue.upgradeUrl }),
      resolvedAt: iso(now),
      expiresAt: iso(now + LIFETIME_MS),
    };
  }

  async function sign(holder: Holder, credentialId: string, now: number): Promise<Content> {
    const claims = claimsFor(holder, now);
    const payload: SignedEntitlements = { iss: issuer(), credential: { id: credentialId }, ...claims };
    const document = { ...claims, signature: await signingKeys.sign(payload, TOKEN_TYPE) };
    const body = Buffer.from(JSON.stringify(document));
    return { document, body, etag: `"${hash("sha256", body, "base64url")}"` };
  }

  function renew(key: string, holder: Holder, caller: Caller, now: number): Signed {
    const content = sign(holder, caller.credential.id, now);
    const signed: Signed = { holder, resolvedAt: now, content };
    documents.delete(key);
    // The map is in order of signing, so stale documents come first.
    for (const [oldest, document] of documents) {
      if (isFresh(document, now) && documents.size < MAX_DOCUMENTS) break;
      documents.delete(oldest);
    }
    documents.set(key, signed);
    content.then(
      (ready) => {
        signed.ready = ready;
      },
      () => {
        if (documents.get(key) === signed) documents.delete(key);
      },
    );
    return signed;
  }

  /** Returns the caller's effective plan and its gates. */
  async function rightsFor(caller: Caller): Promise<{ plan: string; features: readonly string[] }> {
    const tier = tierFor(await store.transact((tx) => holderOf(tx, caller)));
    return { plan: tier.id, features: (rights.get(tier) as ReturnType<typeof rightsOf>).features };
  }

  /** Returns the gates granted to the caller. */
  async function features(caller: Caller): Promise<readonly string[]> {
    return (await rightsFor(caller)).features;
  }

  return {
    /** Returns the caller's document, signed at most half its lifetime ago. */
    async resolve(caller: Caller): Promise<Reply<Entitlements>> {
      const holder = await store.transact((tx) => holderOf(tx, caller));
      const now = clock.now();
      const key = `${caller.accountId}/${caller.credential.id}/${holder.projectId ?? ""}`;
      let signed = documents.get(key);
      if (!signed || !isFresh(signed, now) || !isSame(signed.holder, holder)) {
        signed = renew(key, holder, caller, now);
      }
      const { document, body, etag } = signed.ready ?? (await signed.content);
      const maxAge = Math.floor((signed.resolvedAt + LIFETIME_MS - now) / 1000);
      return new Reply(document, {
        raw: body,
        headers: {
          ETag: etag,
          "Cache-Control": `private, max-age=${maxAge}`,
          Vary: "Authorization, X-API-Key, X-Project-Id",
        },
      });
    },

    features,
    rightsFor,

    /** Whether the caller is granted a gate. */
    async isGranted(caller: Caller, gate: string): Promise<boolean> {
      return grants(await features(caller), gate);
    },
  };
}

async function holderOf(tx: Transaction, caller: Caller): Promise<Holder> {
  const account = await tx.get(accounts, GLOBAL, caller.accountId);
  if (!account) throw new Problem("invalid_token", "The credential's account is gone. Sign in again.");
  if (!caller.projectNamed) return { account, projectId: null };
  const project = await tx.get(projects, accountSpace(account.id), caller.projectId);
  return { account, projectId: caller.projectId, project };
}

/** Whether two holders lead to the same document. Cheap with a store that returns cached documents by identity. */
function isSame(left: Holder, right: Holder): boolean {
  return (
    (left.account === right.account && left.project === right.project) || decisive(left) === decisive(right)
  );
}

function decisive({ account: { name, plan, nextPlan, limits }, project }: Holder): string {
  return JSON.stringify([name, plan, nextPlan, limits, project?.plan]);
}

/** Whether a document may be reused. If the clock was set back, it lies in the future and clients would refuse it. */
function isFresh({ resolvedAt }: Signed, now: number): boolean {
  return resolvedAt <= now && now < resolvedAt + LIFETIME_MS / 2;
}

/** Computes what depends on the tier alone, once per tier. */
function rightsOf(catalogue: Catalogue, tier: Tier) {
  const features = featuresOf(catalogue, tier);
  const gated = catalogue.agents.filter((agent) => requiredTier(catalogue, agent) !== catalogue.tiers[0]);
  const { telemetry, ...policy } = catalogue.policy;
  return {
    features,
    gates: requiredTiers(catalogue),
    agents: {
      required: Object.fromEntries(gated.map((agent) => [agent.id, requiredTier(catalogue, agent).id])),
      denied: catalogue.agents.filter((agent) => !mayUse(features, agent)).map(({ id }) => id),
    },
    policy: {
      ...policy,
      telemetry: { ...telemetry, enabled: telemetry.enabled && grants(features, "telemetry") },
    },
  };
}
