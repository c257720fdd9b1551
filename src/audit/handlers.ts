import type { Caller } from "../contract/caller.ts";
import { type Handlers, Reply } from "../contract/endpoint.ts";
import { invalidRequest } from "../contract/faults.ts";
import type { Clock } from "../system/clock.ts";
import { iso } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import type { auditContract } from "./contract.ts";
import { auditView, type ExportAuditLog, formatOf } from "./export.ts";
import type { Whose } from "./filter.ts";
import type { AuditLog } from "./log.ts";

/** Returns the log that a caller asks for, if they may read it. `Problem` `forbidden`, `insufficient_scope`. */
export type AuditAccess = (
  caller: Pick<Caller, "accountId" | "credential">,
  asked: string | undefined,
) => Promise<Whose>;

export function auditHandlers({
  log,
  exported,
  access,
  clock,
}: {
  log: AuditLog;
  exported: ExportAuditLog;
  access: AuditAccess;
  clock: Pick<Clock, "now">;
}): Handlers<typeof auditContract> {
  return {
    async listAuditLog({ accountId, limit, cursor, since, until, ...filter }, caller) {
      const whose = await access(caller, accountId);
      const asked = {
        ...filter,
        ...(since !== undefined && { since: Date.parse(since) }),
        ...(until !== undefined && { until: Date.parse(until) }),
      };
      if (asked.since !== undefined && asked.until !== undefined && asked.since >= asked.until) {
        throw invalidRequest([{ path: "since", message: "must be before until" }]);
      }
      const format = formatOf(caller.accept);
      if (format !== undefined) {
        const name = `audit-${iso(clock.now()).slice(0, 10)}.${format === "text/csv" ? "csv" : "jsonl"}`;
        return Reply.raw(exported(caller.accountId, whose, asked, format), {
          "Content-Type": `${format}; charset=utf-8`,
          "Content-Disposition": `attachment; filename="${name}"`,
          Vary: "Accept",
        });
      }
      const { items, nextCursor } = await log.page(whose, asked, { limit, cursor });
      return { items: items.map(auditView), ...defined({ nextCursor }) };
    },
  };
}
