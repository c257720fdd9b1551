import type { ReactNode } from "react";
import type { AuditFormat, ExportAuditLog } from "../../../audit/export.ts";
import type { AuditAccess } from "../../../audit/handlers.ts";
import { type AuditLog, MAX_LOOKED_AT } from "../../../audit/log.ts";
import { Problem } from "../../../contract/problem.ts";
import { iso } from "../../../system/clock.ts";
import { timeOfId } from "../../../system/random.ts";
import { grouped } from "../../../text/grouped.ts";
import { Ago } from "../../time.tsx";
import { queryParam } from "../frame/endpoint-calls.ts";
import { LeftOut } from "../frame/filter-form.tsx";
import { Live } from "../frame/live.tsx";
import type { Section, View } from "../frame/section.ts";
import { Below } from "../frame/table.tsx";
import { filterOf, PATH } from "./question.ts";
import { Search } from "./search.tsx";
import { AuditTable, Latest } from "./table.tsx";

const ON_CARD = 3;
const ON_PAGE = 50;

const FILES: ReadonlyMap<string, AuditFormat> = new Map([
  ["csv", "text/csv"],
  ["jsonl", "application/jsonl"],
]);

/** Creates the section of the audit log, for an account's admins if its plan has the gate, and for operators. */
export function auditSection(parts: {
  log: AuditLog;
  exported: ExportAuditLog;
  access: AuditAccess;
}): Section {
  const { log, exported, access } = parts;
  const whoseOf = (view: View) => access(view.visit.by, queryParam(view, "of"));

  return {
    path: PATH,
    title: "Audit log",
    group: "Account",
    wide: true,
    async card(view) {
      const whose = await access(view.visit.by, undefined).catch(nullIfRefused);
      if (whose === null) return null;
      const { items } = await log.page(whose, {}, { limit: ON_CARD });
      return <Latest list={items} now={view.now} />;
    },
    page: (view) =>
      orWhyNot(async () => {
        const request = { limit: ON_PAGE, cursor: queryParam(view, "after") };
        const filter = filterOf(view);
        const { items, nextCursor } = await log.page(await whoseOf(view), filter, request);
        const leftOut = Object.entries(filter).filter(([, value]) => value === undefined);
        const isShort = nextCursor !== undefined && items.length < ON_PAGE;
        const searchedTo = isShort ? timeOfId(nextCursor) : undefined;
        return (
          <>
            <Search view={view} found={items} />
            <LeftOut view={view} names={leftOut.map(([name]) => name)} />
            <Live name="audit" className="stack">
              {items.length > 0 ? (
                <AuditTable list={items} view={view} />
              ) : (
                <p className="muted">{nextCursor === undefined ? "Nothing." : "Nothing so far."}</p>
              )}
              {searchedTo !== undefined && (
                <p className="muted">
                  Looked through {grouped(MAX_LOOKED_AT)} entries, back to{" "}
                  <Ago at={searchedTo} now={view.now} />. Older ones may match, too.
                </p>
              )}
              <Below
                view={view}
                path={PATH}
                after={nextCursor}
                more={searchedTo === undefined ? "Older" : "Search on"}
                exported
                lines
              />
              <p className="small muted">
                Kept for 400 days, what strangers do or try for 30; a file has what is asked for above.
              </p>
            </Live>
          </>
        );
      }),
    async download(view) {
      const format = queryParam(view, "format") ?? "csv";
      const type = FILES.get(format);
      if (!type) throw new Problem("invalid_request", "There is no such format.");
      const whose = await whoseOf(view);
      return {
        name: `audit-${iso(view.now).slice(0, 10)}.${format}`,
        type: `${type}; charset=utf-8`,
        body: exported(view.visit.by.accountId, whose, filterOf(view), type),
      };
    },
  };
}

/** Shows why access is refused, in place of a page that fails. */
async function orWhyNot(show: () => Promise<ReactNode>): Promise<ReactNode> {
  try {
    return await show();
  } catch (error) {
    if (isRefusal(error)) return <p className="muted">{error.detail}</p>;
    throw error;
  }
}

function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && ["forbidden", "insufficient_scope"].includes(error.error);
}

function nullIfRefused(error: unknown): null {
  if (isRefusal(error)) return null;
  throw error;
}
