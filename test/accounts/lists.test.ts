import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { projects as storedProjects, users as storedUsers, type User } from "../../src/accounts/model.ts";
import { ROLES } from "../../src/accounts/roles.ts";
import { accountSpace } from "../../src/store/store.ts";
import { callerFor, problem, startServices } from "./fixture.ts";

type Page<T> = { items: T[]; nextCursor?: string };

/** Reads all pages of a list, and asserts that each is within its limit. */
async function all<T>(limit: number, read: (page: { limit: number; cursor?: string }) => Promise<Page<T>>) {
  const found: T[] = [];
  for (let cursor: string | undefined; found.length < 100; ) {
    const { items, nextCursor } = await read({ limit, ...(cursor !== undefined && { cursor }) });
    expect(items.length).toBeLessThanOrEqual(limit);
    found.push(...items);
    cursor = nextCursor;
    if (cursor === undefined) return found;
  }
  throw new Error("the pages have no end");
}

/** Sorts items by a value, and ties by id. */
function sorted<T extends { id: string }>(
  items: readonly T[],
  value: (item: T) => string | number,
  turn: 1 | -1,
) {
  return items.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    return turn * (a < b ? -1 : a > b ? 1 : one.id < other.id ? -1 : 1);
  });
}

const LIMIT = fc.integer({ min: 1, max: 4 });

describe("the list of users", () => {
  it("filters, sorts and paginates like a naive reference", async () => {
    const { users, account, owner, store } = await startServices();
    const space = accountSpace(account.id);
    const kept: User[] = [owner];
    const emails = [
      "Bea@one.example",
      "bea@two.example",
      "abe@one.example",
      "ABE@two.example",
      "z@one.example",
    ];
    await store.transact(async (tx) => {
      for (const [index, email] of emails.entries()) {
        const user: User = {
          id: `usr_${index}`,
          accountId: account.id,
          email,
          role: ROLES[index % ROLES.length] as User["role"],
          createdAt: 10 - (index % 3),
          ...(index % 2 === 0 && { personId: `per_${index}` }),
          ...(index > 2 && { suspendedAt: 1 }),
        };
        await tx.put(storedUsers, space, user.id, user);
        kept.push(user);
      }
    });
    const statusOf = ({ suspendedAt, personId }: User) =>
      suspendedAt !== undefined ? "suspended" : personId === undefined ? "invited" : "active";
    const question = fc.record(
      {
        query: fc.constantFrom("BEA", "one", "localhost", "nobody", ""),
        status: fc.constantFrom("active", "invited", "suspended"),
        sort: fc.constantFrom(
          "email",
          "-email",
          "role",
          "-role",
          "status",
          "-status",
          "createdAt",
          "-createdAt",
        ),
      },
      { requiredKeys: [] },
    );
    const VALUES: Record<string, (user: User) => string | number> = {
      "": () => 0,
      email: ({ email }) => email.toLowerCase(),
      role: ({ role }) => ROLES.indexOf(role),
      status: statusOf,
      createdAt: ({ createdAt }) => createdAt,
    };
    await fc.assert(
      fc.asyncProperty(question, LIMIT, async (asked, limit) => {
        const { query = "", status, sort = "" } = asked;
        const expected = kept.filter(
          (user) =>
            user.email.toLowerCase().includes(query.toLowerCase()) &&
            (status === undefined || statusOf(user) === status),
        );
        const found = await all(limit, (page) => users.list(account.id, { ...page, ...asked } as never));
        const turn = sort.startsWith("-") ? -1 : 1;
        const ids = sorted(expected, VALUES[sort.replace("-", "")] as never, turn).map(({ id }) => id);
        expect(found.map(({ id }) => id)).toEqual(ids);
      }),
      { numRuns: 60 },
    );
    await expect(users.list(account.id, { limit: 1, sort: "email", cursor: "none" })).rejects.toMatchObject(
      problem("invalid_request"),
    );
  });
});

describe("the list of projects", () => {
  it("filters by text and state, sorts and paginates like a naive reference", async () => {
    const { projects, account, store } = await startServices();
    const space = accountSpace(account.id);
    const kept = ["Beta", "alpha", "beta", "Gamma", "alpha"].map((name, index) => ({
      id: `p${index}`,
      name,
      learningOptIn: false,
      createdAt: 10 - (index % 2),
      ...(index > 2 && { archivedAt: 1 }),
    }));
    await store.transact(async (tx) => {
      for (const project of kept) await tx.put(storedProjects, space, project.id, project);
    });
    const question = fc.record(
      {
        query: fc.constantFrom("ALPHA", "p1", "P", "et", "none"),
        sort: fc.constantFrom("name", "-name", "createdAt", "-createdAt"),
      },
      { requiredKeys: [] },
    );
    const state = fc.constantFrom("active", "archived", "all", undefined);
    await fc.assert(
      fc.asyncProperty(question, state, LIMIT, async (asked, which, limit) => {
        const { query = "", sort = "" } = asked;
        const expected = kept.filter(
          ({ id, name, archivedAt }) =>
            `${id}\n${name}`.toLowerCase().includes(query.toLowerCase()) &&
            (which === "all" || (archivedAt !== undefined) === (which === "archived")),
        );
        const found = await all(limit, (page) =>
          projects.list(account.id, { ...page, ...asked } as never, which as never),
        );
        const order = sort.replace("-", "");
        const value = (project: (typeof kept)[number]) =>
          order === "name" ? project.name.toLowerCase() : order === "createdAt" ? project.createdAt : 0;
        const turn = sort.startsWith("-") ? -1 : 1;
        expect(found.map(({ id }) => id)).toEqual(sorted(expected, value, turn).map(({ id }) => id));
      }),
      { numRuns: 60 },
    );
  });

  it("contains only active projects of the account by default", async () => {
    const { projects, owner, account } = await startServices();
    const by = callerFor(owner);
    for (const id of ["a", "b"]) await projects.update(by, id, {});
    await projects.update(by, "b", { archived: true });
    const ids = async (state?: "all") =>
      (await projects.list(account.id, { limit: 10 }, state)).items.map(({ id }) => id);
    expect(await ids()).toEqual(["a"]);
    expect(await ids("all")).toEqual(["a", "b"]);
    expect((await projects.list("acc_other", { limit: 10 }, "all")).items).toEqual([]);
  });
});
