import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiKeys, people, users } from "../../../src/accounts/model.ts";
import { createAuditTrail } from "../../../src/audit/trail.ts";
import { countUses } from "../../../src/metering/usage/counters.ts";
import { createServer } from "../../../src/server/create-server.ts";
import { openStore, openUnsafeStore, type StoreOptions } from "../../../src/store/open.ts";
import { accountSpace, GLOBAL, type OpenedStore, type Store } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createRandom } from "../../../src/system/random.ts";
import { requestsTo } from "../../../src/testing/request.ts";

export interface CrowdSize {
  users: number;
  /** Number of the users who have not accepted their invitation. */
  invited?: number;
  keys: number;
  /** Days of hourly usage. */
  days: number;
  /** Uses in each hour, each of the next key in turn. By default three, all of the same fifty keys. */
  usesAnHour?: number;
  auditEntries: number;
}

/** Size of the account that the console has to cope with. */
export const CROWD: CrowdSize = { users: 1000, keys: 10_000, days: 365, auditEntries: 100_000 };

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const AT_ONCE = 500;
const TYPES = ["api_calls", "agents_invoked", "mcp_calls"] as const;

/**
 * Starts a server whose one account is large. `signInUrl` signs its owner in.
 *
 * @param database the database that the data is copied to after it was made in a directory: transactions with that
 * many writes would exceed a database's timeouts.
 */
export async function startCrowd(size: CrowdSize = CROWD, database?: string) {
  const directory = await mkdtemp(join(tmpdir(), "toolplane-crowd-"));
  const key = randomBytes(32).toString("hex");
  const serve = async (open: (options: StoreOptions) => Promise<OpenedStore>) => {
    const opened: { store: OpenedStore; options: StoreOptions }[] = [];
    const server = await createServer({
      plan: "enterprise",
      owner: { email: "owner@localhost", apiKey: key },
      log: "silent",
      async store(options) {
        const store = await open(options);
        opened.push({ store, options });
        return store;
      },
    });
    const { url } = await server.listen({ port: 0 });
    return { server, url, ...(opened[0] as (typeof opened)[0]) };
  };
  let serving = await serve((options) => openUnsafeStore(directory, options));
  await fill(serving.store, size);
  if (database !== undefined) {
    await serving.server.close();
    const source = await openStore(directory, serving.options);
    const target = await openStore(database, serving.options);
    await target.load(source.dump());
    await Promise.all([source.close(), target.close()]);
    serving = await serve((options) => openStore(database, options));
  }
  const { server, url } = serving;
  return {
    url,
    /** The operator's key. */
    key,
    signInUrl: await signInLink(url, key),
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function signInLink(url: string, key: string): Promise<string> {
  const request = requestsTo(url, key);
  const { account } = (await request("GET", "/api/v1/account")).body;
  const path = `/api/v1/accounts/${account.id}/sign-in-link`;
  return (await request("POST", path, { body: {} })).body.signInLink;
}

async function fill(store: Store, size: CrowdSize): Promise<void> {
  const random = createRandom(systemClock);
  const now = systemClock.now();
  const [person] = await store.transact((tx) => tx.list(people, GLOBAL, { limit: 1 }));
  const accountId = person?.value.memberships[0]?.accountId;
  if (accountId === undefined) throw new Error("The server has made no account.");
  const space = accountSpace(accountId);
  const userIds = Array.from({ length: size.users }, () => random.id("usr"));
  const keyIds = Array.from({ length: size.keys }, () => random.id("key"));

  await inPieces(userIds, (piece) =>
    store.transact(async (tx) => {
      for (const [index, id] of piece) {
        const email = `person.${index}@example.test`;
        const personId = random.id("per");
        const createdAt = now - index * HOUR_MS;
        const memberships = [{ accountId, userId: id }];
        if (index < (size.invited ?? 0)) {
          const invitation = { secretHash: `hash-of-${id}`, expiresAt: now + 7 * DAY_MS };
          await tx.put(users, space, id, { id, accountId, invitation, email, role: "member", createdAt });
          continue;
        }
        await tx.put(people, GLOBAL, personId, { id: personId, email, memberships, createdAt });
        await tx.put(users, space, id, { id, accountId, personId, email, role: "member", createdAt });
      }
    }),
  );
  await inPieces(keyIds, (piece) =>
    store.transact(async (tx) => {
      for (const [index, id] of piece) {
        await tx.put(apiKeys, space, id, {
          id,
          name: `Key number ${index}`,
          prefix: `tak_${String(index).padStart(8, "0")}`,
          secretHash: `hash-${index}`,
          scopes: ["write"],
          userId: userIds[index % userIds.length] as string,
          createdAt: now - index * HOUR_MS,
          lastUsedAt: now - index * 60_000,
        });
      }
    }),
  );
  const { usesAnHour = TYPES.length } = size;
  const keysUsed = size.usesAnHour === undefined ? Math.min(50, keyIds.length) : keyIds.length;
  const turn = (hour: number, place: number) =>
    size.usesAnHour === undefined ? hour + place : hour * usesAnHour + place;
  const hours = Array.from({ length: size.days * 24 }, (_, hour) => now - hour * HOUR_MS);
  await inPieces(hours, (piece) =>
    store.transact((tx) =>
      countUses(
        tx,
        piece.flatMap(([index, at]) =>
          Array.from({ length: usesAnHour }, (_, place) => ({
            type: TYPES[place % TYPES.length] as (typeof TYPES)[number],
            at,
            count: 1 + ((index * 7 + place) % 90),
            origin: {
              accountId,
              projectId: "default",
              keyId: keyIds[turn(index, place) % keysUsed] as string,
              userId: userIds[turn(index, place) % Math.min(keysUsed, userIds.length)] as string,
              tool: `tool-${(index + place) % 12}`,
            },
          })),
        ),
      ),
    ),
  );
  let at = now;
  const trail = createAuditTrail({
    store,
    random: createRandom({ now: () => at }),
    log: { info() {} },
  });
  await inPieces(
    Array.from({ length: size.auditEntries }, (_, index) => index),
    (piece) => {
      at = now - 300 * DAY_MS + (300 * DAY_MS * (piece[0]?.[0] ?? 0)) / size.auditEntries;
      // Spread over 300 days, so that the entries stay below the audit log's daily bounds.
      return trail.transact({ accountId, address: "", requestId: "" }, async (_, note) => {
        for (const [, index] of piece) note(changeOf(index, accountId, userIds, keyIds));
      });
    },
  );
}

function changeOf(index: number, accountId: string, userIds: readonly string[], keyIds: readonly string[]) {
  const id = keyIds[index % keyIds.length] as string;
  return {
    by: {
      accountId,
      userId: userIds[index % userIds.length] as string,
      credential: { kind: "session" as const, id: `ses_${index % 5000}` },
      address: "192.0.2.1",
      requestId: "",
    },
    action: ["key.created", "user.updated", "session.started", "project.updated"][index % 4] as string,
    target: { kind: "key", id, name: `Key number ${index % keyIds.length}` },
    after: { name: `after ${index}` },
  };
}

async function inPieces<T>(
  all: readonly T[],
  write: (piece: [number, T][]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) {
    await write(all.slice(from, from + AT_ONCE).map((each, index) => [from + index, each]));
  }
}
