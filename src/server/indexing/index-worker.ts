import { projectionKinds } from "../../tools/projections.ts";
import { serveIndex } from "./serve-index.ts";

/** The thread on which everything that is searched lives; `index-thread.ts` starts it. */
serveIndex(projectionKinds);
