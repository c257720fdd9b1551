import { auditView } from "../../audit/export.ts";
import { isAbout, isBy, type Whose } from "../../audit/filter.ts";
import { type AuditLog, MAX_LOOKED_AT } from "../../audit/log.ts";
import { type AuditEntry, auditEntries } from "../../audit/model.ts";
import { type Collection, GLOBAL, type Store } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import { accounts, people, type User } from "../model.ts";
import { type ExportedFrom, type Part, type Source, type Step, stepThrough, withoutHashes } from "./pages.ts";
import { firstAccount, naming, type Subject, subjectNames, userIn } from "./subject.ts";

/** Reads a part of what an account keeps of one of its users. */
export type UserPart = Part<{ accountId: string; userId: string }>;

export interface PersonSourcePorts {
  store: Pick<Store, "transact">;
  log: AuditLog;
  /** Those with documents of accounts. Of an account's own space, only what `userOf` says is the person's is read. */
  collections: readonly Collection<unknown>[];
  /** What is kept of a user beside documents. */
  parts: readonly UserPart[];
}

/** Audit entries that a step looks for. It may find fewer in as many as the log looks at for one page. */
const ENTRIES = 200;
/** Of one entry, about, of which a step looks at as many as the log lets it. */
const CHARACTERS = 100;

/**
 * Returns what is kept of one person: the person, in each of their accounts what belongs to their user, the documents of
 * its projects that hold their address or one of their ids, and the audit entries by and about them. Nothing secret, and
 * of other people no more than such a document holds.
 *
 * @param within the accounts to look in, for people who export their own data. Otherwise all, with the whole audit log,
 *   which remembers also accounts that they have left.
 */
export function personSource(
  { store, log, collections, parts }: PersonSourcePorts,
  subject: Subject,
  within?: readonly string[],
): Source {
  const isOwn = within !== undefined;

  /** Returns the user to export; in the projects, only one whom the account lets see them. */
  const userAt = async ({ accountId, projectId }: ExportedFrom): Promise<User | undefined> => {
    if (isOwn && !within.includes(accountId)) return undefined;
    const user = await store.transact((tx) => userIn(tx, subject, accountId));
    const isShut = isOwn && projectId !== undefined && user?.suspendedAt !== undefined;
    return isShut ? undefined : user;
  };
  const ofUser =
    (
      read: (from: ExportedFrom, user: User, after: string | undefined) => Promise<Step>,
    ): Part<ExportedFrom> =>
    async (from, after) => {
      const user = await userAt(from);
      if (!user) return { items: [], characters: 0 };
      const step = await read(from, user, after);
      return {
        ...step,
        items: step.items.map(({ collection, ...item }) => ({ collection, ...from, ...item })),
      };
    };

  const itself: Part<undefined> = async () => {
    const { person } = subject;
    if (!person) return { items: [], characters: 0 };
    const value = { ...person, hasPassword: person.passwordHash !== undefined };
    return {
      items: [{ collection: people.name, id: person.id, value: withoutHashes(value) }],
      characters: 0,
    };
  };
  const account = ofUser(async ({ accountId }) => {
    const found = await store.transact((tx) => tx.get(accounts, GLOBAL, accountId));
    const items = found ? [{ collection: accounts.name, id: accountId, value: { name: found.name } }] : [];
    return { items, characters: 0 };
  });
  const owned = collections
    .filter(({ userOf }) => userOf)
    .map((collection) =>
      ofUser((from, { id: userId }, after) =>
        stepThrough(store, collection, from, after, ({ id, value, text }) =>
          collection.userOf?.(value, id) === userId ? JSON.parse(text) : undefined,
        ),
      ),
    );
  const named = collections.map((collection) =>
    ofUser((from, user, after) => {
      const isNamed = naming(subjectNames(subject, user));
      return stepThrough(store, collection, from, after, ({ id, text }) =>
        isNamed(`${id}\n${text}`) ? JSON.parse(text) : undefined,
      );
    }),
  );
  const audited = async (
    whose: Whose,
    person: ReadonlySet<string>,
    after: string | undefined,
  ): Promise<Step> => {
    const { items, nextCursor } = await log.page(whose, { person }, { limit: ENTRIES, cursor: after });
    const shown = items.map((entry) => ({
      collection: auditEntries.name,
      ...defined({ accountId: entry.accountId }),
      id: entry.id,
      value: withoutOthers(entry, person),
    }));
    return { items: shown, characters: MAX_LOOKED_AT * CHARACTERS, after: nextCursor };
  };

  return {
    beforehand: isOwn ? [itself] : [itself, (_, after) => audited("all", subjectNames(subject), after)],
    account: [
      account,
      ...owned,
      ...parts.map((part) =>
        ofUser(({ accountId }, { id: userId }, after) => part({ accountId, userId }, after)),
      ),
      ...(isOwn
        ? [ofUser(({ accountId }, user, after) => audited({ accountId }, subjectNames(subject, user), after))]
        : []),
    ],
    project: named,
    includes: async (accountId) => (await userAt({ accountId })) !== undefined,
    async accountBehind(after) {
      if (isOwn) return within.filter((id) => after === undefined || id > after).sort()[0];
      const next = await firstAccount(store, after, (tx, accountId) => userIn(tx, subject, accountId));
      return next?.accountId;
    },
  };
}

/** Returns an entry without what it holds of other people: from where they did it, and their addresses and names. */
function withoutOthers(entry: AuditEntry, person: ReadonlySet<string>) {
  const { actor, target } = entry;
  const isOfOthers = (name: string | undefined) => name?.includes("@") && !person.has(name.toLowerCase());
  const { name, ...unnamed } = target;
  const isSomebody = target.kind === "user" && !isAbout(person, entry);
  const { accountId, userId } = actor;
  const byOther = userId !== undefined && !isBy(person, entry);
  return JSON.parse(
    JSON.stringify(
      {
        ...auditView(entry),
        actor: byOther ? { accountId, userId } : actor,
        target: isSomebody || isOfOthers(name) ? unnamed : target,
      },
      (_, value) => (typeof value === "string" && isOfOthers(value) ? undefined : value),
    ),
  );
}
