import { openStore } from "../../src/store/open.ts";
import { createLog } from "../../src/system/log.ts";
import { describeStore } from "../../src/testing/conformance/suite.ts";
import { runs } from "../support/runs.ts";
import { temporaryDirectory } from "../support/store.ts";

describeStore(
  "JSON file",
  async () => {
    const directory = temporaryDirectory();
    return { open: (options) => openStore(directory, { ...options, log: createLog("silent") }) };
  },
  { times: runs(1) },
);
