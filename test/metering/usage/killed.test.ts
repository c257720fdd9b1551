import { describe, it } from "vitest";
import { killWhileCounting } from "../../support/accounts/usage-under-fire.ts";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { temporaryDirectory } from "../../support/store.ts";

/** A short version of `acceptance/usage-origins`. */
describe("usage by account, project, key, user and tool, of a server that is killed", () => {
  it("adds up to the total and to all acknowledged uses, in a directory", async () => {
    await killWhileCounting(["--data", temporaryDirectory()], { kills: 2, callers: 40 });
  });

  it("adds up to the total and to all acknowledged uses, on PostgreSQL", async () => {
    await killWhileCounting(["--database", await createDatabase()], { kills: 1, callers: 40 });
  });
});
