import { exportLines } from "../../../accounts/export/pages.ts";
import { plansOf } from "../../../accounts/next-plan.ts";
import type { AccountsUnderPressure } from "../../../metering/account-figures.ts";
import { iso } from "../../../system/clock.ts";
import { DAY_MS } from "../../../system/durations.ts";
import { count } from "../../../text/amounts.ts";
import { grouped } from "../../../text/grouped.ts";
import { addressOf } from "../frame/address.ts";
import { cursorIn, may } from "../frame/endpoint-calls.ts";
import { fileOf, linesFile } from "../frame/files.ts";
import { Live } from "../frame/live.tsx";
import { Titled } from "../frame/pages.tsx";
import type { Actions, Need, Section, View } from "../frame/section.ts";
import { keyIn } from "../keys/read-forms.ts";
import { keysUsed } from "../keys/used.ts";
import { SecretOnce } from "../secret-once.tsx";
import { AccountDetails, type AccountShown, KEY_PERIODS, type KeyPeriod } from "./details.tsx";
import { ACCOUNT_COLUMNS } from "./file-columns.ts";
import { NewAccount, planInWords, planWithEnd } from "./forms.tsx";
import { AccountsList } from "./list.tsx";
import { type AccountsPorts, PATH } from "./ports.ts";
import { ON_PAGE, questionOf } from "./question.ts";
import {
  atTimeBefore,
  checkedLimits,
  idIn,
  limitsIn,
  limitsInWords,
  newAccountIn,
  plansBeforeIn,
  plansIn,
} from "./read-forms.ts";
import { Search } from "./search.tsx";

const ON_CARD = 5;
const KEYS = 10;
const PEOPLE = 20;
const ENTRIES = 10;
/** The share of a limit from which an account is reported. */
const NEARLY = 0.8;

/** Creates the section of all accounts, which only operators see. */
export function accountsSection(ports: AccountsPorts): Section {
  const { directory, accounts, apiKeys, users, usage, log, plans, storageOf, exports } = ports;

  const actions: Actions = {
    async create({ visit, now }, form) {
      const given = newAccountIn(form, now);
      const { account, signInLink } = await accounts.create(visit.by, given);
      const next = `${PATH}?${new URLSearchParams({ id: account.id })}`;
      if (signInLink === undefined) {
        return { said: `${account.name} is added; a link was mailed to ${given.ownerEmail}.`, next };
      }
      const label = "A link for its first owner, which works once, for 7 days";
      return <SecretOnce title={`${account.name} is added`} label={label} secret={signInLink} next={next} />;
    },
    async plan({ visit, nameOfPlan, now }, form) {
      const { accountId, ...asked } = plansIn(form, now);
      const before = await accounts.get(accountId);
      const nextPlan = atTimeBefore(asked.nextPlan, before.nextPlan);
      const account = await accounts.update(visit.by, before.id, { ...asked, nextPlan });
      const plan = plans.find(({ id }) => id === account.plan);
      return {
        said: `${account.name} is on ${planWithEnd(account, nameOfPlan)} now${plan ? `: ${planInWords(plan)}` : ""}. It was on ${planWithEnd(before, nameOfPlan)}.`,
        undo: { do: "plans-as-before", id: account.id, plans: JSON.stringify(plansOf(before)) },
      };
    },
    async "plans-as-before"({ visit, nameOfPlan }, form) {
      const account = await accounts.update(visit.by, idIn(form), plansBeforeIn(form));
      return { said: `${account.name} is on ${planWithEnd(account, nameOfPlan)} again.` };
    },
    async limits({ visit }, form) {
      const before = await accounts.get(idIn(form));
      const limits = limitsIn(form, before.limits ?? {});
      const account = await accounts.update(visit.by, before.id, { limits });
      return {
        said: account.limits
          ? `${account.name} has limits of its own: ${limitsInWords(account.limits)}.`
          : `${account.name} has the limits of its plan.`,
        undo: { do: "limits-as-before", id: account.id, limits: JSON.stringify(before.limits ?? {}) },
      };
    },
    async "limits-as-before"({ visit }, form) {
      const limits = checkedLimits(form.get("limits") ?? "{}");
      const account = await accounts.update(visit.by, idIn(form), { limits });
      return { said: `${account.name} has the limits that it had before.` };
    },
    async suspend({ visit }, form) {
      const { id, name } = await accounts.update(visit.by, idIn(form), { suspended: true });
      return { said: `${name} is suspended: nothing of it is answered.`, undo: { do: "resume", id } };
    },
    async resume({ visit }, form) {
      const { id, name } = await accounts.update(visit.by, idIn(form), { suspended: false });
      return { said: `${name} goes on.`, undo: { do: "suspend", id } };
    },
    async "suspend-key"({ visit }, form) {
      const [id, key] = [idIn(form), keyIn(form)];
      const { name } = await apiKeys.update(visit.by, key, { suspended: true }, id);
      return {
        said: `The key ${name} is stopped: whoever uses it is refused from now on.`,
        undo: { do: "resume-key", id, key },
      };
    },
    async "resume-key"({ visit }, form) {
      const [id, key] = [idIn(form), keyIn(form)];
      const { name } = await apiKeys.update(visit.by, key, { suspended: false }, id);
      return { said: `The key ${name} works again.`, undo: { do: "suspend-key", id, key } };
    },
    async "revoke-key"({ visit }, form) {
      const [id, key] = [idIn(form), keyIn(form)];
      const { name } = await apiKeys.get(id, key);
      await apiKeys.revoke(visit.by, key, id);
      return { said: `The key ${name} is revoked, for good.` };
    },
  };

  return {
    path: PATH,
    title: "Accounts",
    group: "Server",
    wide: true,
    isFor: (view) => may(view, "operator"),
    async needs() {
      const pressed = await directory.underPressure(NEARLY);
      if (!pressed) return [{ said: "What accounts use is being added up" }];
      const { nearLimit, refused } = pressed;
      const percent = (share: number) => `${Math.floor(100 * share)} %`;
      return [
        ...needsOf(nearLimit, "near a limit", { sort: "-ofLimit" }, percent),
        ...needsOf(refused, "refused by limits today", { sort: "-refused" }, grouped),
      ];
    },
    async card(view) {
      const question = { sort: "-yesterday", limit: ON_CARD } as const;
      const { items, count: all } = await directory.page(question);
      return (
        <>
          <p className="small muted">{count(all, "account")}. Who used most yesterday:</p>
          <ul className="items">
            {items.map(({ id, name, figures }) => (
              <li key={id} className="row">
                <a className="target" href={addressOf(view, PATH, { id })}>
                  {name}
                </a>
                <span className="small muted">{grouped(figures.yesterday)}</span>
              </li>
            ))}
          </ul>
        </>
      );
    },
    async page(view) {
      const id = view.query.get("id");
      if (id !== null) {
        const details = await shown(id, view);
        return (
          <Titled name={details.account.name}>
            <AccountDetails shown={details} plans={plans} view={view} />
          </Titled>
        );
      }
      const question = await questionOf(view, ports);
      return (
        <>
          <Search view={view} plans={plans} />
          <Live name="accounts" className="stack">
            <AccountsList
              page={await directory.page({ ...question, limit: ON_PAGE, cursor: cursorIn(view) })}
              question={question}
              view={view}
            />
          </Live>
          <NewAccount view={view} plans={plans} />
        </>
      );
    },
    actions,
    async download(view) {
      const { visit, query } = view;
      const [id, person] = [query.get("id"), query.get("person")];
      if (person)
        return linesFile(
          person,
          exportLines((cursor) => exports.person(visit.by, person, cursor)),
        );
      if (id) {
        const account = await accounts.get(id);
        return linesFile(
          id,
          exportLines((cursor) => exports.account(visit.by, account.id, cursor)),
        );
      }
      const listed = directory.every(await questionOf(view, ports));
      return fileOf(view, `accounts-${iso(view.now).slice(0, 10)}`, ACCOUNT_COLUMNS, listed);
    },
  };

  async function shown(id: string, view: View): Promise<AccountShown> {
    const account = await accounts.get(id);
    const { visit, query, now } = view;
    const tomorrow = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
    const period = Object.hasOwn(KEY_PERIODS, query.get("when") ?? "")
      ? (query.get("when") as KeyPeriod)
      : "yesterday";
    const ranges = {
      today: { from: tomorrow - DAY_MS, to: tomorrow },
      yesterday: { from: tomorrow - 2 * DAY_MS, to: tomorrow - DAY_MS },
      days30: { from: tomorrow - 30 * DAY_MS, to: tomorrow },
    };
    const asked = { granularity: "day", accountId: id } as const;
    const most = { by: "key", sort: "total", limit: KEYS } as const;
    const [figures, storage, series, groups, people, audit] = await Promise.all([
      directory.figuresOf(id),
      storageOf(id),
      usage.series(visit.by, { ...asked, ...ranges.days30 }),
      usage.groups(visit.by, { ...asked, ...ranges[period], ...most }),
      users.list(id, { limit: PEOPLE }),
      log.page({ accountId: id }, {}, { limit: ENTRIES }),
    ]);
    return {
      account,
      figures,
      storage,
      series,
      period,
      keys: await keysUsed(apiKeys, id, groups.groups),
      people: people.items,
      hasMorePeople: people.nextCursor !== undefined,
      entries: audit.items,
    };
  }
}

function needsOf(
  { count, first }: AccountsUnderPressure,
  what: string,
  asked: Record<string, string>,
  inWords: (figure: number) => string,
): Need[] {
  if (count === 0) return [];
  return [
    {
      said: count === 1 ? `An account is ${what}` : `${grouped(count)} accounts are ${what}`,
      detail: first.map(({ name, figure }) => `${name} (${inWords(figure)})`).join(", "),
      asked: count === 1 && first[0] ? { id: first[0].id } : asked,
    },
  ];
}
