import type { AccountWithFigures } from "../../../metering/account-figures.ts";
import { iso } from "../../../system/clock.ts";
import { type FileColumns, isoOrNone } from "../frame/files.ts";
import { stateOf } from "./list.tsx";

/** The columns of the accounts file. */
export const ACCOUNT_COLUMNS: FileColumns<AccountWithFigures> = {
  account: ({ id }) => id,
  accountName: ({ name }) => name,
  plan: ({ plan }) => plan,
  state: stateOf,
  createdAt: ({ createdAt }) => iso(createdAt),
  today: ({ figures }) => figures.today,
  yesterday: ({ figures }) => figures.yesterday,
  days30: ({ figures }) => figures.days30,
  refused: ({ figures }) => figures.refused,
  ofLimit: ({ figures }) => Math.round(1000 * figures.ofLimit) / 1000,
  lastUsedAt: ({ figures: { lastUsedAt } }) => isoOrNone(lastUsedAt),
  nextPlan: ({ nextPlan }) => nextPlan?.plan ?? "",
  nextPlanAt: ({ nextPlan }) => isoOrNone(nextPlan?.at),
};
