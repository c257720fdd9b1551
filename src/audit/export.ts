import { csvLine } from "../contract/csv.ts";
import { preferredType } from "../contract/media-types.ts";
import { overloaded } from "../contract/retry-later.ts";
import { iso } from "../system/clock.ts";
import { othersFirst } from "../system/others-first.ts";
import { createTurns } from "../system/turns.ts";
import type { AuditFilter, Whose } from "./filter.ts";
import type { AuditLog } from "./log.ts";
import type { AuditEntry } from "./model.ts";

const PART = 200;

export type AuditFormat = "text/csv" | "application/jsonl";

/** Returns the file format that an `Accept` header prefers; undefined for JSON. */
export function formatOf(accept: string | undefined): AuditFormat | undefined {
  const type = preferredType(accept, ["application/json", "text/csv", "application/jsonl"]);
  return type === "application/json" ? undefined : type;
}

export type ExportAuditLog = (
  who: string,
  whose: Whose,
  filter: AuditFilter,
  format: AuditFormat,
) => AsyncGenerator<string>;

/** Exports a log as a file, with backpressure from the reader. Concurrent exports take turns, part by part. */
export function createAuditExport(log: AuditLog): ExportAuditLog {
  const turns = createTurns({
    maxRunning: 1,
    maxOfOne: 1,
    maxWaiting: 1_000,
    refusal: () => overloaded("Too many take files along at once. Try again in a minute.", 60),
  });
  return async function* (who, whose, filter, format) {
    // Sent with what follows it, so that a log that cannot be read is refused.
    let head = format === "text/csv" ? csvLine(Object.keys(COLUMNS)) : "";
    const line =
      format === "text/csv" ? csvOf : (entry: AuditEntry) => `${JSON.stringify(auditView(entry))}\n`;
    let cursor: string | undefined;
    // No limit on the length, since a truncated file would look complete.
    do {
      const page = await turns.run(who, async () => {
        await othersFirst();
        return log.page(whose, filter, { limit: PART, cursor });
      });
      if (page.items.length > 0) {
        yield head + page.items.map(line).join("");
        head = "";
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    if (head !== "") yield head;
  };
}

const COLUMNS: Record<string, (entry: AuditEntry) => string | undefined> = {
  at: ({ at }) => iso(at),
  action: ({ action }) => action,
  outcome: ({ outcome }) => outcome,
  target_kind: ({ target }) => target.kind,
  target_id: ({ target }) => target.id,
  target_name: ({ target }) => target.name,
  actor_id: ({ actor }) => actor.userId,
  actor_name: ({ actor }) => actor.name,
  actor_account: ({ actor }) => actor.accountId,
  credential_kind: ({ actor }) => actor.credential?.kind,
  credential_id: ({ actor }) => actor.credential?.id,
  address: ({ actor }) => actor.address,
  account: ({ accountId }) => accountId,
  before: ({ before }) => before && JSON.stringify(before),
  after: ({ after }) => after && JSON.stringify(after),
  request_id: ({ actor }) => actor.requestId,
  id: ({ id }) => id,
};

function csvOf(entry: AuditEntry): string {
  return csvLine(Object.values(COLUMNS).map((cell) => cell(entry)));
}

/** Returns an entry as the API shows it. */
export function auditView({ at, ...entry }: AuditEntry) {
  return { ...entry, at: iso(at) };
}
