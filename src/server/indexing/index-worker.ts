import { serveIndex } from "./serve-index.ts";

/** The index process, which holds everything that is searched; `index-process.ts` starts it. */
serveIndex();
