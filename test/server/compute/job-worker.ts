/** The worker of the tools, from its source, so that it can run jobs that only tests want. */
import "../../../src/server/compute/compute-worker.ts";
