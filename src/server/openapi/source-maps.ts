import type * as z from "zod";
import { ANYWHERE, WITH_BODY, WITH_CREDENTIAL } from "../../contract/problems-of.ts";
import type { Content, Operation } from "./operation.ts";
import {
  AnnouncedBundle,
  AnnouncedRelease,
  AssembledBundle,
  ChangedRelease,
  KnownRelease,
  SentParts,
  UploadBounds,
  UploadedParts,
} from "./source-map-schemas.ts";

/** The requests that sentry-cli sends to upload source maps. */
export type UploadStep = "options" | "parts" | "assemble" | "createRelease" | "updateRelease";

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

/** The operations by which sentry-cli uploads source maps. */
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
