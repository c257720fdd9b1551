import { z } from "zod";
import { jobOf } from "../../../contract/compute.ts";
import { computedEndpoint } from "../../../contract/endpoint.ts";
import { mapsIn } from "./bundle.ts";
import { framed, type Piece } from "./framed.ts";

export const BUNDLE_JOB = "observability.bundle";
export const BUNDLE_TYPE = "application/zip";

/** No endpoint of the API: how the job's input is declared, which is the bytes of a bundle. */
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

/** Gives its maps, framed: each with its debug id and its address. */
export const bundleJob = jobOf(bundle, () => new Uint8Array(0), {
  [BUNDLE_TYPE]: (body) => {
    const maps = mapsIn(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
    return framed(
      maps.map(({ debugId, url, packed }): Piece => ({ about: { debugId, url }, bytes: packed })),
    );
  },
});
