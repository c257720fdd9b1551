import { inflateRawSync } from "node:zlib";
import * as z from "zod";
import { computedEndpoint } from "../../../contract/endpoint.ts";
import { jobOf } from "../../../contract/job.ts";
import { MAX_MAP_BYTES } from "./bounds.ts";
import { unframed } from "./framed.ts";
import { type Original, originalsOf, type Place } from "./restore.ts";
import { readSourceMap } from "./source-map.ts";

export const RESTORE_JOB = "observability.restore";
export const RESTORE_TYPE = "application/octet-stream";

/** Declares the job's input, which is a map and the places to look up in it. This is no endpoint of the API. */
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

/** Takes one framed map, which is described by the places. Returns null for every place if the map cannot be read. */
export const restoreJob = jobOf(restore, () => [], {
  [RESTORE_TYPE]: (body): (Original | null)[] => {
    const [piece] = unframed<Place[]>(body);
    if (!piece) return [];
    try {
      const json = inflateRawSync(piece.bytes, { maxOutputLength: MAX_MAP_BYTES });
      const read = readSourceMap(json);
      if ("map" in read) return originalsOf(read.map, piece.about);
    } catch {
      // Treated like an invalid map.
    }
    return piece.about.map(() => null);
  },
});
