import { inflateRawSync } from "node:zlib";
import { z } from "zod";
import { jobOf } from "../../../contract/compute.ts";
import { computedEndpoint } from "../../../contract/endpoint.ts";
import { MAX_MAP_BYTES } from "./bounds.ts";
import { unframed } from "./framed.ts";
import { type Original, originalsOf, type Place } from "./restore.ts";
import { readSourceMap } from "./source-map.ts";

export const RESTORE_JOB = "observability.restore";
export const RESTORE_TYPE = "application/octet-stream";

/** No endpoint of the API: how the job's input is declared, which is a map and the places to look up in it. */
const restore = computedEndpoint({
  name: RESTORE_JOB,
  method: "POST",
  path: "/restore",
  summary: "Say where places of minified programs come from",
  scope: "public",
  compute: "short",
  input: z.strictObject({}),
  output: z.unknown(),
});

/** Takes one framed map, about which are the places. A map that cannot be read says nothing of any. */
export const restoreJob = jobOf(restore, () => [], {
  [RESTORE_TYPE]: (body): (Original | null)[] => {
    const [piece] = unframed<Place[]>(body);
    if (!piece) return [];
    try {
      const json = inflateRawSync(piece.bytes, { maxOutputLength: MAX_MAP_BYTES });
      const read = readSourceMap(json);
      if ("map" in read) return originalsOf(read.map, piece.about);
    } catch {
      // As a map that is none.
    }
    return piece.about.map(() => null);
  },
});
