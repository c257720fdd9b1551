import { serveIndex } from "../../../src/server/indexing/serve-index.ts";
import { mirrorIndex } from "./mirror.ts";

serveIndex({ mirror: async () => mirrorIndex });
