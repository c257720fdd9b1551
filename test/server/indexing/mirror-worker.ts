/** The index process from its source, so that it can hold projections that only tests want. */
import "../../../src/server/indexing/index-worker.ts";
