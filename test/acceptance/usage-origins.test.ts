import { describe, it } from "vitest";
import { killWhileCounting } from "../support/accounts/usage-under-fire.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { temporaryDirectory } from "../support/store.ts";

const KILLS = Number(process.env.KILLS ?? 10);
const TIMEOUT_MS = 600_000;

describe("usage by account, project, key, user and tool, of a server that is killed repeatedly", () => {
  it(
    "adds up to the total of acknowledged and possibly sent uses, in a directory",
    async () => {
      await killWhileCounting(["--data", temporaryDirectory()], { kills: KILLS, callers: 200 });
    },
    TIMEOUT_MS,
  );

  it(
    "adds up to the total of acknowledged and possibly sent uses, on PostgreSQL",
    async () => {
      await killWhileCounting(["--database", await createDatabase()], { kills: KILLS, callers: 200 });
    },
    TIMEOUT_MS,
  );
});
