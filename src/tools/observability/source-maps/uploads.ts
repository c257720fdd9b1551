import { hash } from "node:crypto";
import { Problem } from "../../../contract/problem.ts";
import { overloaded } from "../../../contract/retry-later.ts";
import { accountSpace, projectSpace, type Store } from "../../../store/store.ts";
import type { Clock } from "../../../system/clock.ts";
import { defined } from "../../../system/defined.ts";
import { HOUR_MS } from "../../../system/durations.ts";
import { othersFirst } from "../../../system/others-first.ts";
import { MAX_BUNDLE_BYTES, MAX_WAITING_PIECES, PIECE_BYTES } from "./bounds.ts";
import type { BundledMap } from "./bundle.ts";
import { BUNDLE_JOB, BUNDLE_TYPE } from "./bundle-job.ts";
import { sourceMapBundles, waitingPieces } from "./documents.ts";
import { unframed } from "./framed.ts";
import { keepBundle, removeBundle } from "./keep.ts";
import type { RunJob } from "./run-job.ts";

/** The user who uploads, and the project. */
export interface Uploader {
  accountId: string;
  projectId: string;
  userId: string;
}

/** A bundle in parts, identified as by sentry-cli: by the SHA-1 of the whole and of each part. */
export interface Announced {
  checksum: string;
  pieces: readonly string[];
  release?: string | undefined;
  dist?: string | undefined;
}

export interface Uploads {
  /** Stores parts until they are assembled, or for an hour. Throws `Problem` if one does not match its SHA-1. */
  addPieces(accountId: string, pieces: readonly { name: string; bytes: Buffer }[]): Promise<void>;
  /** Assembles a bundle and stores its maps. Returns the parts that are missing; if there are none, it is stored. */
  assemble(uploader: Uploader, announced: Announced, signal: AbortSignal): Promise<readonly string[]>;
}

const WAITING_MS = HOUR_MS;
const BUNDLE_MODULE = new URL("./bundle-job.ts", import.meta.url);

export function createUploads(ports: { store: Store; clock: Pick<Clock, "now">; runJob: RunJob }): Uploads {
  const { store, clock, runJob } = ports;

  async function gathered(accountId: string, pieces: readonly string[]): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (const name of pieces) {
      const piece = await store.transact((tx) => tx.get(waitingPieces, accountSpace(accountId), name));
      if (!piece) throw new Problem("conflict", "A part of the bundle has gone meanwhile. Upload it again.");
      parts.push(Buffer.from(piece.data, "base64"));
      await othersFirst();
    }
    return Buffer.concat(parts);
  }

  return {
    async addPieces(accountId, pieces) {
      const space = accountSpace(accountId);
      for (const { name, bytes } of pieces) {
        if (bytes.length > PIECE_BYTES) throw new Problem("payload_too_large", "A part has at most 512 KiB.");
        if (hash("sha1", bytes) !== name) {
          throw new Problem("invalid_request", `The part ${name} is not what its SHA-1 says.`);
        }
        const piece = { data: bytes.toString("base64") };
        await store.transact(async (tx) => {
          const waiting = await tx.ids(waitingPieces, space, { limit: MAX_WAITING_PIECES });
          if (waiting.length === MAX_WAITING_PIECES && !waiting.includes(name)) throw tooMany();
          await tx.put(waitingPieces, space, name, piece, { expiresAt: clock.now() + WAITING_MS });
        });
        await othersFirst();
      }
    },

    async assemble({ accountId, projectId, userId }, { checksum, pieces, release, dist }, signal) {
      const space = projectSpace(accountId, projectId);
      const waitingIn = accountSpace(accountId);
      const missing = await store.transact(async (tx) => {
        if ((await tx.get(sourceMapBundles, space, checksum))?.isWhole) return [];
        const there = await Promise.all(pieces.map((piece) => tx.has(waitingPieces, waitingIn, piece)));
        return there.every(Boolean) ? undefined : pieces.filter((_, index) => !there[index]);
      });
      if (missing) return missing;
      const bytes = await gathered(accountId, pieces);
      if (bytes.length > MAX_BUNDLE_BYTES) throw new Problem("payload_too_large", tooLong());
      if (hash("sha1", bytes) !== checksum) {
        throw new Problem("invalid_request", "The parts together are not what the bundle's SHA-1 says.");
      }
      const job = { name: BUNDLE_JOB, module: BUNDLE_MODULE, contentType: BUNDLE_TYPE, body: bytes };
      const output = (await runJob(accountId, { ...job, pace: "long", signal })) as Uint8Array;
      const maps = unframed<Omit<BundledMap, "packed">>(output);
      const document = {
        ...defined({ release, dist }),
        maps: maps.length,
        bytes: maps.reduce((sum, { bytes }) => sum + bytes.length, 0),
        uploadedAt: clock.now(),
        uploadedBy: userId,
      };
      try {
        await keepBundle(store, space, { checksum, document, maps });
      } catch (error) {
        await removeBundle(store, space, checksum).catch(() => {});
        throw error;
      }
      await store.transact(async (tx) => {
        for (const piece of pieces) await tx.delete(waitingPieces, waitingIn, piece);
      });
      return [];
    },
  };
}

function tooLong(): string {
  return `A bundle has at most ${MAX_BUNDLE_BYTES / 1024 / 1024} MiB. Upload folders one by one.`;
}

function tooMany(): Problem {
  return overloaded("Many parts of bundles wait to be put together. Try again later.", 60);
}
