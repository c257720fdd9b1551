/** The index process run from its source, so that it can hold projections that exist only in tests. */
import "../../../src/server/indexing/index-worker.ts";
