import { z } from "zod";
import { named } from "../../contract/components.ts";
import { ANYWHERE, WITH_BODY, WITH_CREDENTIAL } from "../../contract/problems-of.ts";
import type { Content, Operation } from "./operation.ts";

/** What sentry-cli asks of a server when it uploads. */
export type UploadStep = "options" | "parts" | "assemble" | "createRelease" | "updateRelease";

const KnownRelease = z
  .object({ version: z.string(), dateCreated: z.iso.datetime() })
  .catchall(z.unknown())
  .describe("Without what this server does not know of it");
const UploadBounds = z.object({
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
const UploadedParts = z.object({});
const AssembledBundle = z.object({
  state: z.enum(["ok", "not_found"]),
  missingChunks: z.array(z.string()).describe("The SHA-1 of each part that is to be uploaded"),
});

const SentParts = z
  .strictObject({ file: z.array(z.string()).describe("Each bears its SHA-1 as the name of its file") })
  .describe("The parts as files of a form");
const AnnouncedBundle = z.strictObject({
  checksum: z.string().describe("The SHA-1 of the bundle"),
  chunks: z.array(z.string()).describe("The SHA-1 of each of its parts, in order"),
  projects: z.array(z.string()).describe("One"),
  version: z.string().optional().describe("The release"),
  dist: z.string().optional(),
});
const AnnouncedRelease = z.strictObject({ version: z.string(), projects: z.array(z.string()).optional() });
const ChangedRelease = z.strictObject({ dateReleased: z.string().optional() });

named({ KnownRelease, UploadBounds, UploadedParts, AssembledBundle });
named({ SentParts, AnnouncedBundle, AnnouncedRelease, ChangedRelease });

const STEPS: Record<UploadStep, { summary: string; body?: Content["content"]; answer: z.ZodType }> = {
  options: { summary: "Show how sentry-cli uploads source maps", answer: UploadBounds },
  parts: {
    summary: "Upload parts of a bundle of source maps, as sentry-cli does",
    body: { "multipart/form-data": SentParts },
    answer: UploadedParts,
  },
  assemble: {
    summary: "Put a bundle of source maps together, as sentry-cli does",
    body: { "application/json": AnnouncedBundle },
    answer: AssembledBundle,
  },
  createRelease: {
    summary: "Make a release known, as sentry-cli does",
    body: { "application/json": AnnouncedRelease },
    answer: KnownRelease,
  },
  updateRelease: {
    summary: "Say more of a release, as sentry-cli does, which is not kept",
    body: { "application/json": ChangedRelease },
    answer: KnownRelease,
  },
};

function uploadOperation(step: UploadStep): Operation {
  const { summary, body, answer } = STEPS[step];
  return {
    id: `observability_upload_${step.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`)}`,
    summary,
    description: `With an API key as its token (\`SENTRY_AUTH_TOKEN\`), the account as its organization and this server
as its \`SENTRY_URL\`.`,
    tag: "observability",
    scope: "write",
    parameters: [
      path("organization", "The account's id"),
      ...(step === "updateRelease" ? [path("version", "The release")] : []),
    ],
    ...(body !== undefined && { body: { required: true, content: body } }),
    answers: { 200: { description: "Done.", content: { "application/json": answer } } },
    problems: [
      ...new Set([
        ...ANYWHERE,
        ...WITH_CREDENTIAL,
        ...WITH_BODY,
        ...(["forbidden", "not_found", "conflict", "quota_exceeded", "overloaded"] as const),
      ]),
    ],
  };
}

/** Where sentry-cli uploads source maps. */
export const UPLOAD_OPERATIONS: Record<UploadStep, Operation> = {
  options: uploadOperation("options"),
  parts: uploadOperation("parts"),
  assemble: uploadOperation("assemble"),
  createRelease: uploadOperation("createRelease"),
  updateRelease: uploadOperation("updateRelease"),
};

function path(name: string, description: string) {
  return { in: "path", name, required: true, description, schema: { type: "string" } };
}
