import * as z from "zod";
import { UserId } from "../../contract/endpoint.ts";
import { checked } from "../../contract/faults.ts";
import { Problem } from "../../contract/problem.ts";
import { type Clock, iso } from "../../system/clock.ts";
import { MAX_BUNDLE_BYTES, MAX_PIECES, PIECE_BYTES } from "../../tools/observability/source-maps/bounds.ts";
import type { SourceMaps } from "../../tools/observability/source-maps/source-maps.ts";
import { UPLOAD_OPERATIONS, type UploadStep } from "../openapi/source-maps.ts";
import { abortOf, callerOf } from "../operations/request-caller.ts";
import { type Answer, jsonAnswer } from "../pipeline/answer.ts";
import type { Exchange, Identity } from "../pipeline/exchange.ts";
import { parseJson } from "../pipeline/json-body.ts";
import type { Route } from "../pipeline/route.ts";
import { filesIn } from "./multipart.ts";
import type { DescribedRoute } from "./service-routes.ts";

export interface UploadPorts {
  sourceMaps: Pick<SourceMaps, "addPieces" | "assemble" | "addRelease">;
  clock: Clock;
  baseUrl: () => string;
}

const ORGANIZATION = "/api/0/organizations/{organization}";
const FORM_BYTES = 64 * 1024;
const Sha1 = z.string().regex(/^[0-9a-f]{40}$/, "must be a SHA-1 in hexadecimal");
const Line = UserId.max(200).nullish();

const Bundle = z.object({
  checksum: Sha1,
  chunks: z
    .array(Sha1)
    .min(1)
    .max(MAX_BUNDLE_BYTES / PIECE_BYTES, tooLarge()),
  projects: z.array(UserId).length(1, "must name one project: sentry-cli --project <project>"),
  version: Line,
  dist: Line,
});

const Release = z.object({ version: UserId.max(200), projects: z.array(UserId).max(100).nullish() });

/**
 * Creates the routes to which an unmodified sentry-cli uploads source maps (`sourcemaps upload`), with an API key as
 * its token and an account as its organization. Unknown members are ignored, since later versions may send more.
 */
export function sourceMapUploadRoutes({ sourceMaps, clock, baseUrl }: UploadPorts): DescribedRoute[] {
  const release = (version: string, at: number) =>
    jsonAnswer({
      version,
      dateCreated: iso(at),
      dateReleased: null,
      lastEvent: null,
      newGroups: 0,
      projects: [],
    });

  return [
    described("options", "GET", `${ORGANIZATION}/chunk-upload/`, async ({ identity }) =>
      jsonAnswer({
        url: `${baseUrl()}${ORGANIZATION.replace("{organization}", identity.account.id)}/chunk-upload/`,
        chunkSize: PIECE_BYTES,
        chunksPerRequest: MAX_PIECES,
        maxRequestSize: MAX_PIECES * PIECE_BYTES,
        maxFileSize: MAX_BUNDLE_BYTES,
        concurrency: 1,
        hashAlgorithm: "sha1",
        compression: [],
        accept: ["artifact_bundles", "artifact_bundles_v2"],
      }),
    ),
    described("parts", "POST", `${ORGANIZATION}/chunk-upload/`, async ({ identity, exchange, body }) => {
      const files = filesIn(body, exchange.req.headers["content-type"], MAX_PIECES);
      if (files.some(({ field, name }) => field !== "file" || !Sha1.safeParse(name).success)) {
        throw new Problem("invalid_request", 'A part is a "file" that bears its SHA-1 as its name.');
      }
      await sourceMaps.addPieces(identity.account.id, files);
      return jsonAnswer({});
    }),
    described("assemble", "POST", `${ORGANIZATION}/artifactbundle/assemble/`, async (given) => {
      const { checksum, chunks, projects, version, dist } = read(Bundle, given);
      const { accountId, projectId, userId } = callerOf(given.exchange, projects[0]);
      const announced = { checksum, pieces: chunks, release: version ?? undefined, dist: dist ?? undefined };
      const signal = abortOf(given.exchange.res);
      const missing = await sourceMaps.assemble({ accountId, projectId, userId }, announced, signal);
      return jsonAnswer({ state: missing.length === 0 ? "ok" : "not_found", missingChunks: missing });
    }),
    described("createRelease", "POST", `${ORGANIZATION}/releases/`, async (given) => {
      const { version, projects } = read(Release, given);
      const { accountId, projectId } = callerOf(given.exchange, projects?.[0]);
      return release(version, await sourceMaps.addRelease({ accountId, projectId }, version));
    }),
    // Later data of a release (its dates, its commits) is not used.
    described("updateRelease", "PUT", `${ORGANIZATION}/releases/{version}/`, async ({ parameters }) =>
      release(parameters.version ?? "", clock.now()),
    ),
  ];
}

interface Given {
  exchange: Exchange;
  identity: Identity;
  body: Buffer;
  parameters: Record<string, string>;
}

function described(
  step: UploadStep,
  method: "GET" | "POST" | "PUT",
  path: string,
  answer: (given: Given) => Promise<Answer>,
): DescribedRoute {
  const route: Route = {
    name: "observability.uploadSourceMaps",
    errors: "problem",
    scope: "write",
    ...(method !== "GET" && {
      maxBodyBytes: step === "parts" ? MAX_PIECES * PIECE_BYTES + FORM_BYTES : FORM_BYTES,
    }),
    async answer(exchange, body, parameters) {
      const { identity } = exchange;
      if (!identity) throw new Problem("invalid_token", "Send an API key: Authorization: Bearer <key>.");
      if (parameters.organization !== identity.account.id) {
        throw new Problem(
          "not_found",
          `This key is of the account ${identity.account.id}: sentry-cli --org ${identity.account.id}`,
        );
      }
      return answer({ exchange, identity, body, parameters });
    },
  };
  return { method, path, route, operation: UPLOAD_OPERATIONS[step] };
}

function read<T extends z.ZodType>(schema: T, { exchange, body }: Given): z.output<T> {
  return checked(schema, parseJson(body, exchange.req.headers["content-type"]));
}

function tooLarge(): string {
  return `must be at most ${MAX_BUNDLE_BYTES / PIECE_BYTES}: a bundle has at most ${MAX_BUNDLE_BYTES / 1024 / 1024} MiB`;
}
