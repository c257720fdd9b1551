import { serveIndex } from "./serve-index.ts";

/** The process on which everything that is searched lives; `index-process.ts` starts it. */
serveIndex();
