import type { ReactElement, ReactNode } from "react";
import { hasExpired } from "../../../accounts/credentials/api-keys.ts";
import type { Account, User } from "../../../accounts/model.ts";
import { statusOf } from "../../../accounts/users/status.ts";
import type { AuditEntry } from "../../../audit/model.ts";
import type { AccountFigures } from "../../../metering/account-figures.ts";
import type { UsagePoint } from "../../../metering/usage/reports/series.ts";
import { iso } from "../../../system/clock.ts";
import { byteSize, count } from "../../../text/amounts.ts";
import { grouped } from "../../../text/grouped.ts";
import { START_PATH } from "../../impersonation/banner.tsx";
import { Ago } from "../../time.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import { Fact } from "../frame/facts.tsx";
import { Live } from "../frame/live.tsx";
import type { View } from "../frame/section.ts";
import { Table } from "../frame/table.tsx";
import { Tabs } from "../frame/tabs.tsx";
import { TwoSteps } from "../frame/two-steps.tsx";
import type { KeyUsed } from "../keys/used.ts";
import { UsageChart } from "../usage/chart.tsx";
import { AccountForm, LimitsForm, PlanForm, planWithEnd, SuspendForm } from "./forms.tsx";
import { stateOf } from "./list.tsx";
import { type AccountsPorts, PATH } from "./ports.ts";

/** Periods for which the use of keys is shown. */
export const KEY_PERIODS = { today: "Today", yesterday: "Yesterday", days30: "30 days" } as const;
export type KeyPeriod = keyof typeof KEY_PERIODS;

export interface AccountShown {
  account: Account;
  figures: AccountFigures;
  storage: { bytes: number };
  series: readonly UsagePoint[];
  keys: readonly KeyUsed[];
  period: KeyPeriod;
  people: readonly User[];
  hasMorePeople: boolean;
  entries: readonly AuditEntry[];
}

/** Shows all about an account, with the operator's actions on it. */
export function AccountDetails(props: {
  shown: AccountShown;
  plans: AccountsPorts["plans"];
  view: View;
}): ReactElement {
  const { shown, plans, view } = props;
  const { account, figures, storage, series, keys, period, people, hasMorePeople, entries } = shown;
  const { id, name, createdAt, deleteAt } = account;
  const exportOf = (whose: Record<string, string>) => addressOf(view, `${PATH}/export`, whose);
  return (
    <>
      <div>
        <a className="target" href={addressOf(view, PATH)}>
          All accounts
        </a>
        <h2>{name}</h2>
      </div>
      {deleteAt !== undefined && (
        <p className="notice">
          An owner closed this account: it is deleted after {iso(deleteAt).slice(0, 10)}, unless an owner
          keeps it.
        </p>
      )}
      <Live name="account" className="stack">
        <dl className="facts">
          <Fact name="Id">
            <code>{id}</code>
          </Fact>
          <Fact name="State">{stateOf(account)}</Fact>
          <Fact name="Plan">{planWithEnd(account, view.nameOfPlan)}</Fact>
          <Fact name="Made">
            <Ago at={createdAt} now={view.now} />
          </Fact>
          <Fact name="Seen">
            {figures.lastUsedAt === undefined ? "not yet" : <Ago at={figures.lastUsedAt} now={view.now} />}
          </Fact>
          <Fact name="Uses">
            {grouped(figures.today)} today, {grouped(figures.yesterday)} yesterday, {grouped(figures.days30)}{" "}
            in 30 days
          </Fact>
          <Fact name="Refused">{count(figures.refused, "request")} today, by limits</Fact>
          <Fact name="Stores">{byteSize(storage.bytes)}</Fact>
        </dl>
        <h2>Usage</h2>
        <UsageChart series={series} granularity="day" />
        <h2>Keys that used most</h2>
        <Tabs
          label="When"
          tabs={Object.entries(KEY_PERIODS).map(([each, title]) => ({
            title,
            href: sameAddress(view, PATH, { when: each }),
            isCurrent: each === period,
          }))}
        />
        <Keys keys={keys} account={account} view={view} />
      </Live>
      <h2>Plan and limits</h2>
      <PlanForm view={view} account={account} plans={plans} />
      <LimitsForm view={view} account={account} plan={plans.find((plan) => plan.id === account.plan)} />
      <SuspendForm view={view} account={account} />
      <h2>People</h2>
      <ul className="items">
        {people.map((user) => (
          <li key={user.id}>
            <p className="row">
              <strong>{user.email}</strong>
              <span className="small muted">
                {user.role} · {statusOf(user)}
              </span>
            </p>
            <div className="inline">
              <a className="target" href={exportOf({ person: user.id })}>
                Take along what is kept of them<span className="unseen">: {user.email}</span>
              </a>
              <SignInAs user={user} account={account} view={view} />
            </div>
          </li>
        ))}
      </ul>
      {hasMorePeople && <p className="small muted">and more.</p>}
      <h2>Data</h2>
      <a className="target" href={exportOf({ id })}>
        Take along everything that it keeps (JSON lines)
      </a>
      <h2>What was done lately</h2>
      <ul className="items">
        {entries.map((entry) => (
          <li key={entry.id} className="row">
            <span>
              <strong>{entry.action}</strong> {entry.target.name ?? entry.target.id}
            </span>
            <span className="small muted">
              {entry.actor.name ?? entry.actor.userId ?? "nobody signed in"} ·{" "}
              <Ago at={entry.at} now={view.now} />
            </span>
          </li>
        ))}
      </ul>
      <a className="target" href={addressOf(view, "/audit", { of: id })}>
        Its whole audit log
      </a>
    </>
  );
}

function SignInAs({ user, account, view }: { user: User; account: Account; view: View }): ReactNode {
  const isOpen = account.suspendedAt === undefined && account.deleteAt === undefined;
  if (!isOpen || user.operator || statusOf(user) !== "active") return "";
  return (
    <TwoSteps
      action={START_PATH}
      visit={view.visit}
      fields={{ account: account.id, user: user.id }}
      subject={user.email}
      verb="Sign in as"
      consequence="For an hour at most you see what they see, and can change nothing. It stands in their account's audit log and in yours."
    />
  );
}

function Keys({ keys, account, view }: { keys: readonly KeyUsed[]; account: Account; view: View }) {
  if (keys.length === 0) return <p className="muted">Nothing was used.</p>;
  return (
    <Table
      view={view}
      path={PATH}
      label="Keys that used most"
      columns={[
        { title: "Key", cell: ({ key, keyName }) => keyName ?? key ?? "not known" },
        { title: "Id", cell: ({ key }) => <code>{key ?? "–"}</code> },
        { title: "Used", isFigure: true, cell: ({ total }) => grouped(total) },
        { title: "Refused", isFigure: true, cell: ({ refused }) => grouped(refused) },
        { title: "Stop it", cell: (key) => <StopKey used={key} account={account} view={view} /> },
      ]}
      rows={keys}
      keyOf={({ key }) => String(key)}
    />
  );
}

function StopKey({ used, account, view }: { used: KeyUsed; account: Account; view: View }): ReactNode {
  if (!used.knownKey) return "";
  const { id, name, suspendedAt } = used.knownKey;
  const isSuspended = suspendedAt !== undefined;
  return (
    <div className="inline">
      {!hasExpired(used.knownKey, view.now) && (
        <AccountForm view={view} account={account} does={isSuspended ? "resume-key" : "suspend-key"}>
          <input type="hidden" name="key" value={id} />
          <button type="submit">
            {isSuspended ? "Resume" : "Stop"}
            <span className="unseen"> the key {name}</span>
          </button>
        </AccountForm>
      )}
      <TwoSteps
        verb="Revoke"
        action={sameAddress(view, PATH, {})}
        visit={view.visit}
        fields={{ do: "revoke-key", id: account.id, key: id }}
        subject={`the key ${name}`}
        consequence="It is gone for good: its account makes another."
      />
    </div>
  );
}
