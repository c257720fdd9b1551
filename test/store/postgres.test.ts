import { describe } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { createLog } from "../../src/system/log.ts";
import { describeStore } from "../../src/testing/conformance/suite.ts";
import { runs } from "../support/runs.ts";
import { cachedSuite } from "./postgres/cached.ts";
import { instancesSuite } from "./postgres/cluster/instances.ts";
import { presenceSuite } from "./postgres/cluster/presence.ts";
import { copySuite } from "./postgres/copy.ts";
import { databases } from "./postgres/databases.ts";
import { schemaSuite } from "./postgres/schema.ts";
import { storageSuite } from "./postgres/storage.ts";
import { sweeperSuite } from "./postgres/sweeper.ts";
import { transactionsSuite } from "./postgres/transactions.ts";

const available = databases();

describeStore(
  "PostgreSQL",
  async () => {
    const url = await available.borrow();
    return { open: (options) => openStore(url, { ...options, log: createLog("silent") }) };
  },
  { times: runs(1) },
);

describe("PostgreSQL", () => {
  describe("several instances on one database", () => instancesSuite(available));
  describe("instances that come and go", () => presenceSuite(available));
  describe("documents of cached collections", () => cachedSuite(available));
  describe("a transaction", () => transactionsSuite(available));
  describe("the storage of an account", () => storageSuite(available));
  describe("the sweeper", () => sweeperSuite(available));
  describe("the schema", () => schemaSuite(available));
  describe("a copy", () => copySuite(available));
});
