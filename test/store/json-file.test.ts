import { openStore } from "../../src/store/open.ts";
import { createLog } from "../../src/system/log.ts";
import { temporaryDirectory } from "../support/store.ts";
import { storeConformance } from "../../src/testing/store-conformance.ts";

storeConformance("JSON file", async () => {
  const directory = temporaryDirectory();
  return { open: (options) => openStore(directory, { ...options, log: createLog("silent") }) };
});
