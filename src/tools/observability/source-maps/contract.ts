import * as z from "zod";
import { named } from "../../../contract/components.ts";
import { At, endpoint, listOf, pageBehind } from "../../../contract/endpoint.ts";

export const SourceMapBundle = z.object({
  id: z.string().describe("The bundle's SHA-1"),
  release: z.string().optional(),
  dist: z.string().optional(),
  maps: z.int().positive().describe("Source maps in it"),
  bytes: z.int().nonnegative().describe("Of its maps, packed"),
  uploadedAt: At,
  uploadedBy: z.string().describe("A user"),
  keptUntil: At.describe("At least: each use makes it later"),
});
export type SourceMapBundle = z.infer<typeof SourceMapBundle>;

const RestoredFrame = z.object({
  at: z.int().describe("Which line of the stack, from 0"),
  function: z.string().optional(),
  file: z.string(),
  line: z.int(),
  column: z.int(),
  source: z
    .object({ from: z.int().describe("The number of the first line"), lines: z.array(z.string()) })
    .optional(),
});

/** A stack with the names and places of the sources, from before they were minified. */
export const RestoredStack = z.object({ stack: z.string(), frames: z.array(RestoredFrame) });
export type RestoredStack = z.infer<typeof RestoredStack>;

named({ SourceMapBundle, RestoredStack });

const ROOT = "/api/v1/tools/observability/source-maps";

export const sourceMapsContract = {
  sourceMaps: endpoint({
    name: "observability.sourceMaps",
    method: "GET",
    path: ROOT,
    summary: "List the bundles of source maps that sentry-cli uploaded, the latest first",
    description:
      "They restore the stacks of minified programs. Kept 90 days after their last use, 200 at most.",
    scope: "read",
    input: z.strictObject(pageBehind(/^\d{16}\/[0-9a-f]{40}$/)),
    output: listOf(SourceMapBundle),
  }),

  deleteSourceMaps: endpoint({
    name: "observability.deleteSourceMaps",
    method: "DELETE",
    path: `${ROOT}/{bundleId}`,
    summary: "Delete a bundle of source maps",
    scope: "write",
    errors: ["not_found"],
    input: z.strictObject({ bundleId: z.string().regex(/^[0-9a-f]{40}$/, "must be the id of a bundle") }),
    output: z.object({ deleted: z.string() }),
  }),
};
