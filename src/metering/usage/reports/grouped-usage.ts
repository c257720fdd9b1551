import { insufficientScope } from "../../../accounts/insufficient-scope.ts";
import { accounts } from "../../../accounts/model.ts";
import { placeAt } from "../../../accounts/page.ts";
import { allows, type Caller } from "../../../contract/caller.ts";
import { csvLine } from "../../../contract/csv.ts";
import { type Input, type Output, Reply } from "../../../contract/endpoint.ts";
import { invalidRequest } from "../../../contract/faults.ts";
import { jsonText } from "../../../contract/json-text.ts";
import { preferredType } from "../../../contract/media-types.ts";
import { Problem } from "../../../contract/problem.ts";
import { GLOBAL, type Store } from "../../../store/store.ts";
import { iso } from "../../../system/clock.ts";
import { type meteringContract, USAGE_TYPES } from "../../contract.ts";
import { startOf } from "../buckets.ts";
import { DIMENSIONS, type Dimension, type Group, MOST_FIRST_VALUES } from "../groups.ts";
import { type Named, nameOf } from "./group-names.ts";
import type { groupedReports, Selection } from "./grouped-report.ts";
import { rangeOf } from "./report.ts";
import type { UsageGroup } from "./report-contract.ts";

type Question = Input<typeof meteringContract.showUsage>;

/** Value of `accountId` that selects all accounts. */
const ALL = "all";
const USUAL_LIMIT = 50;
/** Groups whose names are looked up at a time, in an answer with all groups. */
const NAMED_AT_ONCE = 200;

/** Answers `GET /api/v1/usage` with `groupBy`: a page of groups, or all of them as a file. */
export async function groupedUsage(
  { store, report, now }: { store: Store; report: ReturnType<typeof groupedReports>; now: number },
  question: Question,
  caller: Caller,
): Promise<Output<typeof meteringContract.showUsage> | Reply<never>> {
  const dimensions = [...new Set(question.groupBy?.split(","))] as Dimension[];
  const selection = await selectionOf(store, question, caller);
  const { granularity } = question;
  const { limit = USUAL_LIMIT, cursor } = question;
  const after = cursor === undefined ? undefined : placeAt(cursor, { values: MOST_FIRST_VALUES });
  const { first, end } = rangeOf(question, now);
  const [from, to] = [startOf(granularity, first), startOf(granularity, end)];
  const groups = await report(caller.accountId, { selection, dimensions, from, to }, caller.signal);

  const named = (some: readonly Group[]): Promise<UsageGroup[]> =>
    store.transact((tx) => Promise.all(some.map((group) => shown(group, dimensions, nameOfIn(tx)))));
  async function* all(): AsyncGenerator<UsageGroup[]> {
    for await (const some of inParts(groups.sorted())) yield await named(some.map(({ group }) => group));
  }
  const nameOfIn = (tx: Parameters<typeof nameOf>[0]) => (dimension: Dimension, group: Group) =>
    nameOf(tx, dimension, group.origin);

  const { counts: totals, refused } = groups.totals;
  const { projectId = null } = selection;
  const answer = { from: iso(from), to: iso(to), granularity, projectId, totals, series: [], refused };
  if (question.format === "csv" || (question.format === undefined && wantsCsv(caller.accept))) {
    const name = `usage-${answer.from.slice(0, 10)}.csv`;
    return Reply.raw(csvText(all(), dimensions), {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
    });
  }
  if (question.format === "json") {
    return Reply.raw(jsonText({ ...answer, groupCount: groups.size, groups: all() }));
  }
  const { items, ...next } = await groups.page({ limit, after });
  return { ...answer, groupCount: groups.size, groups: await named(items), ...next };
}

/**
 * Returns the selection that the caller may see: members their own usage, admins their account's, operators any
 * account's.
 */
export async function selectionOf(
  store: Pick<Store, "transact">,
  question: Pick<Question, "accountId" | "keyId" | "userId" | "tool" | "type" | "projectId">,
  caller: Pick<Caller, "accountId" | "userId" | "credential">,
): Promise<Selection> {
  const { scopes, projectId: boundTo } = caller.credential;
  const { accountId = caller.accountId, keyId, userId, tool, type, projectId = boundTo } = question;
  const isOwn = accountId === caller.accountId;
  if (!isOwn && !allows(scopes, "operator")) {
    throw insufficientScope("operator", 'Usage of other accounts needs the scope "operator".');
  }
  if (!isOwn && boundTo !== undefined) {
    throw new Problem("forbidden", `This key is bound to the project "${boundTo}" of its own account.`);
  }
  if (!isOwn && accountId !== ALL && !(await store.transact((tx) => tx.has(accounts, GLOBAL, accountId)))) {
    throw new Problem("not_found", `There is no account "${accountId}".`);
  }
  const seesAll = allows(scopes, "admin");
  if (!seesAll && userId !== undefined && userId !== caller.userId) {
    throw insufficientScope("admin", 'Usage of other users needs the scope "admin".');
  }
  return {
    accountId: accountId === ALL ? undefined : accountId,
    projectId,
    keyId,
    userId: seesAll ? userId : caller.userId,
    tool,
    type,
  };
}

/** Refuses parameters that need `groupBy`. @throws Problem `invalid_request` */
export function refuseWithoutGroups(question: Question): void {
  const { accountId, keyId, userId, tool, format, limit, cursor, type } = question;
  const given = { accountId, keyId, userId, tool, format, limit, cursor };
  const faults = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([path]) => ({ path, message: "needs groupBy" }));
  if (type === "refused") faults.push({ path: "type", message: "is refused, which needs groupBy" });
  if (faults.length > 0) throw invalidRequest(faults);
}

export async function shown(
  group: Group,
  dimensions: readonly Dimension[],
  nameOf: (dimension: Dimension, group: Group) => Promise<Named>,
): Promise<UsageGroup> {
  const members = await Promise.all(
    dimensions.map(async (dimension) => {
      const { name, isGone } = await nameOf(dimension, group);
      const id = group.origin[DIMENSIONS[dimension]];
      return {
        [dimension]: id === "" ? null : id,
        ...(name !== undefined && { [`${dimension}Name`]: name }),
        ...(isGone && { [`${dimension}Gone`]: true }),
      };
    }),
  );
  const { counts, total, refused } = group;
  return Object.assign({}, ...members, { counts, total, refused });
}

async function* csvText(
  parts: AsyncIterable<readonly UsageGroup[]>,
  dimensions: readonly Dimension[],
): AsyncGenerator<string> {
  const columns = dimensions.flatMap((dimension) =>
    dimension === "tool" ? [dimension] : ([dimension, `${dimension}Name`] as const),
  );
  yield csvLine([...columns, ...USAGE_TYPES, "total", "refused"]);
  for await (const groups of parts) {
    yield groups
      .map((group) => {
        const { counts, total, refused } = group;
        const members = columns.map((column) => group[column] ?? null);
        return csvLine([...members, ...USAGE_TYPES.map((type) => counts[type]), total, refused]);
      })
      .join("");
  }
}

/** Whether the client prefers CSV to JSON (RFC 9110 §12.5.1). */
function wantsCsv(accept: string | undefined): boolean {
  return preferredType(accept, ["application/json", "text/csv"]) === "text/csv";
}

async function* inParts<T>(list: AsyncIterable<T>): AsyncGenerator<T[]> {
  let part: T[] = [];
  for await (const item of list) {
    if (part.push(item) < NAMED_AT_ONCE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
