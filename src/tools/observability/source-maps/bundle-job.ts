import * as z from "zod";
import { computedEndpoint } from "../../../contract/endpoint.ts";
import { jobOf } from "../../../contract/job.ts";
import { mapsIn } from "./bundle.ts";
import { framed, type Piece } from "./framed.ts";

export const BUNDLE_JOB = "observability.bundle";
export const BUNDLE_TYPE = "application/zip";

/** Declares the job's input, which is the bytes of a bundle. This is no endpoint of the API. */
const bundle = computedEndpoint({
  name: BUNDLE_JOB,
  method: "POST",
  path: "/bundle",
  summary: "Read the source maps of a bundle",
  scope: "public",
  compute: "long",
  input: z.strictObject({}),
  output: z.unknown(),
});

/** Returns the maps of a bundle, framed, each with its debug id and URL. */
export const bundleJob = jobOf(bundle, () => new Uint8Array(0), {
  [BUNDLE_TYPE]: (body) => {
    const maps = mapsIn(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
    return framed(
      maps.map(({ debugId, url, packed }): Piece => ({ about: { debugId, url }, bytes: packed })),
    );
  },
});
