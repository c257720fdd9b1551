/** The compute worker run from its source, so that it can load jobs that exist only in tests. */
import "../../../src/server/compute/compute-worker.ts";
