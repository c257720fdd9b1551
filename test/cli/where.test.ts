import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/cli/exit-codes.ts";
import { nameOf, placeNamed, storeNamed, withoutPassword } from "../../src/cli/server/where.ts";

const URL_ = "postgres://toolplane@db/toolplane";

describe("storeNamed() and placeNamed()", () => {
  it("prefer a flag to the environment, and the environment to the user's directory", () => {
    expect(storeNamed({ database: URL_ }, {})).toBe(URL_);
    expect(storeNamed({ data: "/d" }, { TOOL_DATABASE_URL: URL_ })).toBe("/d");
    expect(storeNamed({}, { TOOL_DATABASE_URL: URL_ })).toBe(URL_);
    const past = "postgres://toolplane@db:5432/toolplane";
    const both = { TOOL_DATABASE_URL: URL_, TOOL_DATABASE_DIRECT_URL: past };
    expect(storeNamed({}, both)).toBe(past);
    expect(storeNamed({ database: URL_ }, both)).toBe(URL_);
    expect(storeNamed({}, { TOOL_DATABASE_URL: "" })).toMatch(/server$/);
  });

  it("take any password from the environment, and never show a password", () => {
    const where = storeNamed({ database: URL_ }, { TOOL_DATABASE_PASSWORD: "a/b@c:d%41 ü" });
    expect(decodeURIComponent(new URL(where).password)).toBe("a/b@c:d%41 ü");
    expect(withoutPassword(where)).toBe("postgres://toolplane@db/toolplane");
    expect(nameOf(where)).toBe("PostgreSQL at db/toolplane");
    expect(nameOf("/d")).toBe("/d");
    for (const [url, shown] of [
      ["postgres://me:a@b:c/d@one/d", "postgres://me@one/d"],
      ["postgres://me:a:b@one:1,two:2/d?sslmode=require", "postgres://me@one:1,two:2/d?sslmode=require"],
      [
        "postgres://one/d?user=me&password=secret&sslmode=require",
        "postgres://one/d?user=me&sslmode=require",
      ],
      ["postgres://one/d?password=secret", "postgres://one/d"],
      ["postgres:///d?host=/run/postgresql", "postgres:///d?host=/run/postgresql"],
    ] as const)
      expect(withoutPassword(url)).toBe(shown);
  });

  it.each([
    "postgres://me:own@db/d",
    "postgres://me:o%40wn@one:1,two:2/d?sslmode=require",
    "postgres://db/d?user=me&password=own",
  ])("keep the password of %s", (url) => {
    const password = { TOOL_DATABASE_PASSWORD: "other" };
    for (const named of [storeNamed({ database: url }, password), placeNamed(url, password)])
      expect(named).toBe(url);
  });

  it.each([
    "mysql://me:secret@db/d",
    "POSTGRES://me:secret@db/d",
    '"postgres://me:secret@db/d"',
    "'postgres://me:secret@db/d'",
    "jdbc:postgresql://me:secret@db/d",
  ])("refuse %s as a directory without repeating the password", (url) => {
    const fault = (work: () => unknown) => {
      try {
        return work();
      } catch (error) {
        return error;
      }
    };
    for (const found of [
      fault(() => storeNamed({ database: url }, {})),
      fault(() => storeNamed({}, { TOOL_DATABASE_URL: url })),
      fault(() => storeNamed({ data: url }, {})),
      fault(() => placeNamed(url, {})),
    ]) {
      expect(found).toBeInstanceOf(UsageError);
      expect(String(found)).not.toContain("secret");
    }
    expect(() => storeNamed({ database: "host=db dbname=d" }, {})).toThrow("no postgres:// URL");
  });

  it.each(["12#4", "a#b", "a/b", "12/4", "a?b", "12?4", "a:b/c", "a/@b"])(
    "refuse a URL with the password %s, and say how to write it",
    (password) => {
      const url = `postgres://me:${password}@db:5432/d?sslmode=require`;
      for (const named of [() => storeNamed({ database: url }, {}), () => placeNamed(url, {})]) {
        expect(named).toThrow(UsageError);
        expect(named).toThrow("The database has no valid URL");
      }
    },
  );

  it.each([
    "postgres://me:p@ss@db/d",
    "postgres://me:p%2F@[::1]:5432/d",
    "postgres://me@one:1,two,[::1]:3/d?sslmode=require",
    "postgresql:///d?host=/run/postgresql&user=me@there",
    "postgres://db",
  ])("take %s", (url) => {
    expect(storeNamed({ database: url }, {})).toBe(url);
  });

  it("refuse a URL that names a service, which would lead to another database", () => {
    for (const url of ["postgres:///?service=main", "postgres://me@db/d?sslmode=require&service=main"])
      for (const named of [() => storeNamed({ database: url }, {}), () => placeNamed(url, {})])
        expect(named).toThrow("names a service");
  });

  it("accept any path as a directory", () => {
    for (const where of ["data", "/var/lib/tool", "./a:b", "C:\\data"])
      expect(placeNamed(where, {})).toBe(where);
  });

  it("accept several hosts, and URLs without a user", () => {
    const password = { TOOL_DATABASE_PASSWORD: "a/b" };
    const several = placeNamed("postgres://me@one:1,two:2/d?sslmode=require", password);
    expect(several).toBe("postgres://me:a%2Fb@one:1,two:2/d?sslmode=require");
    expect(nameOf(several)).toBe("PostgreSQL at one:1,two:2/d");
    expect(storeNamed({ database: "postgres://one/d" }, password)).toBe("postgres://:a%2Fb@one/d");
    expect(nameOf("postgres://me:has/a@and?@one/d")).toBe("PostgreSQL at one/d");
    expect(() => storeNamed({ database: "postgres://" }, password)).toThrow("no valid URL");
    for (const [socket, taken] of [
      ["postgres://me@/d?host=/run/postgresql", "postgres://me:a%2Fb@/d?host=/run/postgresql"],
      ["postgres:///d?host=/run/postgresql&user=me", "postgres://:a%2Fb@/d?host=/run/postgresql&user=me"],
      [
        "postgres://me@[::1]:5432/d?application_name=a@b",
        "postgres://me:a%2Fb@[::1]:5432/d?application_name=a@b",
      ],
    ] as const)
      expect(storeNamed({ database: socket }, password)).toBe(taken);
  });
});
