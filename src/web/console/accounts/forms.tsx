import type { ReactElement } from "react";
import type { Account } from "../../../accounts/model.ts";
import { USAGE_TYPES, type UsageType } from "../../../metering/contract.ts";
import { endInWords, iso } from "../../../system/clock.ts";
import { byteSize } from "../../../text/amounts.ts";
import { grouped } from "../../../text/grouped.ts";
import { Form } from "../../form.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import type { View } from "../frame/section.ts";
import { TwoSteps } from "../frame/two-steps.tsx";
import { NAMES, usesAMonth } from "../usage/names.ts";
import { type AccountsPorts, PATH } from "./ports.ts";

type Plan = AccountsPorts["plans"][number];

export const REQUEST_LIMITS = {
  requestsPerMinute: "Requests a minute",
  requestsPerHour: "Requests an hour",
  requestsPerDay: "Requests a day",
  burst: "At once",
} as const;
export const REQUEST_LIMIT_NAMES = Object.keys(REQUEST_LIMITS) as (keyof typeof REQUEST_LIMITS)[];

/** Names an account's plan, and what follows it. */
export function planWithEnd(
  { plan, nextPlan }: Pick<Account, "plan" | "nextPlan">,
  nameOfPlan: View["nameOfPlan"],
): string {
  const now = nameOfPlan(plan);
  return nextPlan ? `${now} until ${endInWords(nextPlan.at)}, then ${nameOfPlan(nextPlan.plan)}` : now;
}

/** Describes the limits of a plan in one line. */
export function planInWords({ limits, bounds }: Pick<Plan, "limits" | "bounds">): string {
  const uses = Object.entries(limits.usesPerMonth ?? {}).map(([type, most]) =>
    usesAMonth(type as UsageType, most),
  );
  return [
    `${grouped(limits.requestsPerMinute)} requests a minute`,
    `${grouped(limits.requestsPerDay)} a day`,
    ...uses,
    `${byteSize(bounds.storageBytes)} stored`,
  ].join(", ");
}

export function AccountForm(props: {
  view: View;
  account: Pick<Account, "id">;
  does: string;
  className?: string;
  children: React.ReactNode;
}): ReactElement {
  const { view, account, does, className = "inline", children } = props;
  return (
    <Form action={sameAddress(view, PATH, {})} visit={view.visit} className={className}>
      <input type="hidden" name="do" value={does} />
      <input type="hidden" name="id" value={account.id} />
      {children}
    </Form>
  );
}

export function PlanForm({ view, account, plans }: { view: View; account: Account; plans: readonly Plan[] }) {
  return (
    <AccountForm view={view} account={account} does="plan" className="stack">
      <div>
        <label htmlFor="plan">Plan</label>
        <select id="plan" name="plan" defaultValue={account.plan}>
          <GonePlan plan={account.plan} plans={plans} />
          {plans.map((plan) => (
            <option key={plan.id} value={plan.id}>
              {plan.name}: {planInWords(plan)}
            </option>
          ))}
        </select>
        {account.limits && (
          <p className="small muted">It has limits of its own, which go on above those of any plan.</p>
        )}
      </div>
      <FollowingPlan view={view} plans={plans} ofForm="plan" account={account} />
      <button type="submit">Change the plan</button>
    </AccountForm>
  );
}

/** The choice of a plan that an account has and the plans file lacks: without it another would be set unasked. */
function GonePlan({ plan, plans }: { plan: string | undefined; plans: readonly Plan[] }) {
  if (plan === undefined || plans.some(({ id }) => id === plan)) return null;
  return <option value={plan}>{`${plan} (no longer in the plans file)`}</option>;
}

/** The plans, as choices of a select. */
export function PlanOptions({ plans }: { plans: readonly Plan[] }): ReactElement {
  return (
    <>
      {plans.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </>
  );
}

/** Fields for the day that a plan ends with, and for the plan that follows. */
function FollowingPlan(props: { view: View; plans: readonly Plan[]; ofForm: string; account?: Account }) {
  const { view, plans, ofForm, account } = props;
  const next = account?.nextPlan;
  const day = next && iso(next.at).slice(0, 10);
  const end = next && endInWords(next.at);
  return (
    <>
      <div>
        <label htmlFor={`${ofForm}-until`}>Until the end of</label>
        <input
          id={`${ofForm}-until`}
          name="until"
          data-member="nextPlan.at"
          type="date"
          min={iso(view.now).slice(0, 10)}
          defaultValue={day}
        />
        <p className="small muted">
          In UTC. The plan goes on where this is empty.
          {next && end !== day && ` It ends at ${end}, and does so while the day stays.`}
        </p>
      </div>
      <div>
        <label htmlFor={`${ofForm}-next`}>And then</label>
        <select
          id={`${ofForm}-next`}
          name="next"
          data-member="nextPlan.plan"
          defaultValue={next?.plan ?? plans[0]?.id}
        >
          <GonePlan plan={next?.plan} plans={plans} />
          <PlanOptions plans={plans} />
        </select>
      </div>
    </>
  );
}

/** A form with the account's own limits. An empty field stands for the plan's limit. */
export function LimitsForm({
  view,
  account,
  plan,
}: {
  view: View;
  account: Account;
  plan: Plan | undefined;
}) {
  return (
    <details open={account.limits !== undefined}>
      <summary>Limits of its own</summary>
      <AccountForm view={view} account={account} does="limits" className="stack">
        {REQUEST_LIMIT_NAMES.map((name) => (
          <LimitField
            key={name}
            name={name}
            label={REQUEST_LIMITS[name]}
            own={account.limits?.[name]}
            ofPlan={plan?.limits[name]}
          />
        ))}
        {USAGE_TYPES.map((type) => (
          <LimitField
            key={type}
            name={usesField(type)}
            label={`${NAMES[type]} a month`}
            own={account.limits?.usesPerMonth?.[type]}
            ofPlan={plan?.limits.usesPerMonth?.[type] ?? "no limit"}
          />
        ))}
        <p className="small muted">
          The plan's hold where a field is empty. Limits by endpoint and bounds of storage are set over the
          API; they stay as they are.
        </p>
        <button type="submit">Set the limits</button>
      </AccountForm>
    </details>
  );
}

/** The name of the field with an account's own limit of uses. */
export function usesField(type: UsageType): string {
  return `usesPerMonth.${type}`;
}

function LimitField(props: {
  name: string;
  label: string;
  own: number | undefined;
  ofPlan: number | string | undefined;
}) {
  const { name, label, own, ofPlan = "" } = props;
  return (
    <div>
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        data-member={`limits.${name}`}
        inputMode="numeric"
        pattern="[0-9]*"
        autoComplete="off"
        placeholder={String(ofPlan)}
        defaultValue={own}
      />
    </div>
  );
}

export function SuspendForm({ view, account }: { view: View; account: Account }): ReactElement {
  if (account.suspendedAt !== undefined) {
    return (
      <AccountForm view={view} account={account} does="resume">
        <button type="submit" className="filled">
          Resume this account
        </button>
      </AccountForm>
    );
  }
  return (
    <TwoSteps
      action={sameAddress(view, PATH, {})}
      visit={view.visit}
      fields={{ do: "suspend", id: account.id }}
      verb="Suspend this account"
      consequence="Its keys and devices are refused at once, until you resume it. Its people still open the console, and can take its data along. Nothing is deleted."
    />
  );
}

export function NewAccount({ view, plans }: { view: View; plans: readonly Plan[] }): ReactElement {
  return (
    <details>
      <summary>Add an account</summary>
      <Form action={addressOf(view, PATH)} visit={view.visit} className="stack">
        <input type="hidden" name="do" value="create" />
        <div>
          <label htmlFor="name">Name</label>
          <input id="name" name="name" maxLength={256} autoComplete="off" required />
        </div>
        <div>
          <label htmlFor="owner">Its first owner's e-mail</label>
          <input id="owner" name="owner" data-member="ownerEmail" type="email" autoComplete="off" required />
        </div>
        <div>
          <label htmlFor="new-plan">Plan</label>
          <select id="new-plan" name="plan">
            {plans.map((plan) => (
              <option key={plan.id} value={plan.id}>
                {plan.name}: {planInWords(plan)}
              </option>
            ))}
          </select>
        </div>
        <FollowingPlan view={view} plans={plans} ofForm="new-plan" />
        <button type="submit">Add it</button>
      </Form>
    </details>
  );
}
