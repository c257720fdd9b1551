import { afterAll, beforeAll, describe } from "vitest";
import { openStore } from "../../../../src/store/open.ts";
import { createLog } from "../../../../src/system/log.ts";
import { describeStore } from "../../../../src/testing/conformance/suite.ts";
import { isMissing } from "../../../support/programs.ts";
import { type Pooler, startPgbouncer } from "../../../support/services/pgbouncer.ts";
import { createDatabase } from "../../../support/services/shared-postgres.ts";
import { cachedSuite } from "../cached.ts";
import { databases } from "../databases.ts";
import { storageSuite } from "../storage.ts";
import { sweeperSuite } from "../sweeper.ts";
import { transactionsSuite } from "../transactions.ts";
import { instancesSuite } from "./instances.ts";
import { presenceSuite } from "./presence.ts";

let pooler: Pooler;
const through = (url: string) => pooler.through(url);
const available = databases(createDatabase, through);

describe.skipIf(isMissing("pgbouncer"))("through a PgBouncer that pools transactions", () => {
  beforeAll(async () => {
    pooler = await startPgbouncer(await createDatabase());
  });
  afterAll(() => pooler.stop());

  describeStore("PostgreSQL", async () => {
    const directUrl = await available.borrow();
    return {
      open: (options) => openStore(through(directUrl), { ...options, directUrl, log: createLog("silent") }),
    };
  });

  describe("several instances on one database", () => instancesSuite(available));
  describe("instances that come and go", () => presenceSuite(available));
  describe("documents of cached collections", () => cachedSuite(available));
  describe("a transaction", () => transactionsSuite(available));
  describe("the storage of an account", () => storageSuite(available));
  describe("the sweeper", () => sweeperSuite(available));
});
