import type { AuditTrail } from "../../audit/trail.ts";
import { allows, type Caller, SCOPES, type Scope } from "../../contract/caller.ts";
import { invalidRequest } from "../../contract/faults.ts";
import { Problem } from "../../contract/problem.ts";
import { accountSpace, GLOBAL, type Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import { insufficientScope } from "../insufficient-scope.ts";
import { type ApiKey, apiKeys, credentials } from "../model.ts";
import { refuseWhereFull } from "../most.ts";
import { listPage, type PageOf, type PageRequest } from "../page.ts";
import { activeUser } from "../people.ts";
import type { Projects } from "../projects.ts";
import { scopesOf } from "../roles.ts";
import type { Manager } from "../users.ts";
import { hashSecret, newSecret } from "./secrets.ts";

/** What is shown of a secret: its kind and some 40 of its 256 bits. */
const SHOWN_CHARACTERS = 12;

export interface NewApiKey {
  name: string;
  scopes: readonly Scope[];
  projectId?: string | undefined;
  /** Milliseconds since the epoch. */
  expiresAt?: number | undefined;
}

export interface ApiKeys {
  list(accountId: string, page: PageRequest): Promise<PageOf<ApiKey>>;
  /** The only time that the secret is seen. `Problem` `insufficient_scope` where the maker holds less. */
  create(
    maker: Manager & Pick<Caller, "credential">,
    key: NewApiKey,
  ): Promise<{ key: ApiKey; secret: string }>;
  /** Effective at once. `Problem` `not_found`. */
  revoke(by: Manager, keyId: string): Promise<void>;
}

export function createApiKeys({
  store,
  audit,
  clock,
  random,
  projects,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  projects: Pick<Projects, "getOrCreateIn">;
}): ApiKeys {
  return {
    list: (accountId, page) => listPage(store, apiKeys, accountSpace(accountId), page, (key) => key),
    async create(maker, { name, scopes, projectId, expiresAt }) {
      const { accountId, userId, credential } = maker;
      const beyond = scopes.find((scope) => !allows(credential.scopes, scope));
      if (beyond) {
        throw insufficientScope(
          beyond,
          `A key may not exceed the credential that makes it, which lacks the scope "${beyond}".`,
        );
      }
      const createdAt = clock.now();
      if (expiresAt !== undefined && expiresAt <= createdAt) {
        throw invalidRequest([{ path: "expiresAt", message: "must lie in the future" }]);
      }
      const secret = newSecret("api_key", random);
      const key: ApiKey = {
        id: random.id("key"),
        name,
        prefix: secret.slice(0, SHOWN_CHARACTERS),
        secretHash: hashSecret(secret),
        scopes: SCOPES.filter((scope) => scopes.includes(scope)),
        userId,
        createdAt,
        ...(projectId !== undefined && { projectId }),
        ...(expiresAt !== undefined && { expiresAt }),
      };
      await audit.transact(maker, async (tx, note) => {
        const user = await activeUser(tx, accountId, userId);
        if (!user || !key.scopes.every((scope) => allows(scopesOf(user), scope))) {
          throw new Problem(
            "forbidden",
            "Whom this credential acts for was removed or suspended, or may do less by now.",
          );
        }
        note({
          action: "key.created",
          target: targetOf(key),
          after: { name, scopes: key.scopes, projectId, expiresAt },
        });
        await refuseWhereFull(tx, apiKeys, accountId, FULL);
        if (projectId !== undefined) await projects.getOrCreateIn(tx, accountId, projectId);
        await tx.insert(apiKeys, accountSpace(accountId), key.id, key);
        await tx.insert(
          credentials,
          GLOBAL,
          key.secretHash,
          {
            kind: "api_key",
            id: key.id,
            accountId,
            userId,
            scopes: key.scopes,
            issuedAt: createdAt,
            ...(projectId !== undefined && { projectId }),
            ...(expiresAt !== undefined && { expiresAt }),
          },
          expiresAt === undefined ? {} : { expiresAt },
        );
      });
      return { key, secret };
    },
    revoke: (by, keyId) =>
      audit.transact(by, async (tx, note) => {
        const key = await tx.get(apiKeys, accountSpace(by.accountId), keyId);
        if (!key) throw new Problem("not_found", `There is no key ${keyId} in this account.`);
        await tx.delete(apiKeys, accountSpace(by.accountId), keyId);
        await tx.delete(credentials, GLOBAL, key.secretHash);
        note({ action: "key.revoked", target: targetOf(key) });
      }),
  };
}

const FULL = { what: "API keys", remedy: "Revoke those that are used no longer." };

function targetOf({ id, name }: ApiKey) {
  return { kind: "key", id, name };
}
