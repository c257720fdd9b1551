import * as z from "zod";
import { named } from "../../contract/components.ts";

export const KnownRelease = z
  .object({ version: z.string(), dateCreated: z.iso.datetime() })
  .catchall(z.unknown())
  .describe("Without what this server does not know of it");
export const UploadBounds = z.object({
  url: z.url(),
  chunkSize: z.int(),
  chunksPerRequest: z.int(),
  maxRequestSize: z.int(),
  maxFileSize: z.int(),
  concurrency: z.int(),
  hashAlgorithm: z.literal("sha1"),
  compression: z.array(z.string()),
  accept: z.array(z.string()),
});
export const UploadedParts = z.object({});
export const AssembledBundle = z.object({
  state: z.enum(["ok", "not_found"]),
  missingChunks: z.array(z.string()).describe("The SHA-1 of each part that is to be uploaded"),
});

export const SentParts = z
  .strictObject({ file: z.array(z.string()).describe("Each bears its SHA-1 as the name of its file") })
  .describe("The parts as files of a form");
export const AnnouncedBundle = z.strictObject({
  checksum: z.string().describe("The SHA-1 of the bundle"),
  chunks: z.array(z.string()).describe("The SHA-1 of each of its parts, in order"),
  projects: z.array(z.string()).describe("One"),
  version: z.string().optional().describe("The release"),
  dist: z.string().optional(),
});
export const AnnouncedRelease = z.strictObject({
  version: z.string(),
  projects: z.array(z.string()).optional(),
});
export const ChangedRelease = z.strictObject({ dateReleased: z.string().optional() });

named({ KnownRelease, UploadBounds, UploadedParts, AssembledBundle });
named({ SentParts, AnnouncedBundle, AnnouncedRelease, ChangedRelease });
