import type { ReactElement } from "react";
import { usersContract } from "../../../accounts/users/contract.ts";
import { USER_ORDERS, type UserQuestion, type UserSort } from "../../../accounts/users/search.ts";
import { USER_STATUSES } from "../../../accounts/users/status.ts";
import type { Users } from "../../../accounts/users/users.ts";
import { checked } from "../../../contract/faults.ts";
import { addressOf } from "../frame/address.ts";
import { choice, may, queryParam, sortIn } from "../frame/endpoint-calls.ts";
import { everyItem, fileOf } from "../frame/files.ts";
import { Live } from "../frame/live.tsx";
import { needOf } from "../frame/need-of.ts";
import { Titled } from "../frame/pages.tsx";
import type { Actions, Done, Section, View } from "../frame/section.ts";
import { Below } from "../frame/table.tsx";
import { SecretOnce } from "../secret-once.tsx";
import { PATH } from "./actions.tsx";
import { PEOPLE_COLUMNS } from "./file-columns.ts";
import { Invite, Search } from "./forms.tsx";
import { OnePerson } from "./one.tsx";
import { PeopleList, PeopleTable } from "./table.tsx";

const ON_CARD = 3;
const ON_PAGE = 50;
const ON_FILE = 1000;
/** The role is required here: a form always sends it, while the API leaves it unchanged if it is absent. */
const ChangedRole = usersContract.updateUser.input.required({ role: true });

/** Creates the section of the account's users and invitations, for those who may manage them. */
export function peopleSection(users: Users): Section {
  const emailOf = async ({ visit }: View, id: string) => (await users.get(visit.by.accountId, id)).email;

  const actions: Actions = {
    async invite(view, form) {
      const invitation = checked(usersContract.createUser.input, {
        email: form.get("email"),
        role: form.get("role"),
      });
      const { user, signInLink } = await users.invite(view.visit.by, invitation);
      return handedOut(view, `${user.email} is invited as ${user.role}`, signInLink, "7 days");
    },
    async renew(view, form) {
      const { user, signInLink } = await users.renewInvitation(view.visit.by, idIn(form));
      return handedOut(view, `The invitation of ${user.email} is renewed`, signInLink, "7 days");
    },
    async link(view, form) {
      const email = await emailOf(view, idIn(form));
      const link = await users.createSignInLink(view.visit.by, idIn(form));
      return handedOut(view, `A link for ${email} to come in again`, link, "15 minutes");
    },
    async role({ visit }, form) {
      const changed = checked(ChangedRole, { userId: form.get("user"), role: form.get("role") });
      const before = await users.get(visit.by.accountId, changed.userId);
      const { id, email, role } = await users.update(visit.by, before.id, { role: changed.role });
      return {
        said: `${email} is ${role} now, and was ${before.role}.`,
        undo: { do: "role", user: id, role: before.role },
      };
    },
    async suspend({ visit }, form) {
      const { id, email } = await users.update(visit.by, idIn(form), { suspended: true });
      return {
        said: `${email} is suspended: they cannot come in, and their keys and devices have ended.`,
        undo: { do: "resume", user: id },
      };
    },
    async resume({ visit }, form) {
      const { id, email } = await users.update(visit.by, idIn(form), { suspended: false });
      return {
        said: `${email} may come in again; they have to make new keys and sign in on their devices again.`,
        undo: { do: "suspend", user: id },
      };
    },
    async remove(view, form) {
      const email = await emailOf(view, idIn(form));
      await users.remove(view.visit.by, idIn(form));
      return { said: `${email} is no longer in this account.`, next: addressOf(view, PATH) };
    },
  };

  return {
    path: PATH,
    title: "People",
    group: "Account",
    wide: true,
    isFor: (view) => may(view, "admin"),
    notFor: "An admin or owner of the account manages who is in it.",
    async card(view) {
      const { items } = await users.list(view.visit.signedIn.account.id, { limit: ON_CARD });
      return <PeopleList list={items} view={view} />;
    },
    async needs({ visit, now }) {
      const invited = await users.invited(visit.signedIn.account.id);
      const over = invited.items.filter(({ invitation }) => (invitation?.expiresAt ?? 0) <= now).length;
      const more = {
        ...(over > 0 && { detail: `${over === 1 ? "A link has" : `${over} links have`} ended: renew.` }),
        asked: { status: "invited" },
      };
      return needOf(
        invited,
        ({ email }) => ({ said: `${email} is invited and has not come yet`, ...more }),
        (count) => ({ said: `${count} people are invited and have not come yet`, ...more }),
      );
    },
    async page(view) {
      const accountId = view.visit.signedIn.account.id;
      const chosen = queryParam(view, "user");
      if (chosen !== undefined) {
        const user = await users.get(accountId, chosen);
        return (
          <Titled name={user.email}>
            <OnePerson user={user} view={view} />
          </Titled>
        );
      }
      const question = questionOf(view);
      const { items, nextCursor } = await users.list(accountId, question);
      return (
        <>
          <a className="target" href="#invite">
            Invite somebody
          </a>
          <Search view={view} />
          <Live name="people" className="stack">
            {items.length === 0 ? (
              <p className="muted">Nobody.</p>
            ) : (
              <PeopleTable list={items} view={view} sort={question.sort} />
            )}
            <Below view={view} path={PATH} after={nextCursor} exported lines />
          </Live>
          <Invite view={view} />
        </>
      );
    },
    actions,
    async download(view) {
      const question = { ...questionOf(view), limit: ON_FILE };
      const people = everyItem((cursor) => users.list(view.visit.by.accountId, { ...question, cursor }));
      return fileOf(view, "people", PEOPLE_COLUMNS, people);
    },
  };
}

/** Shows a link for the only time, or says that it was mailed. */
function handedOut(view: View, title: string, link: string | undefined, works: string): Done | ReactElement {
  if (link === undefined) {
    return { said: `${title}. A link was mailed to them; where it does not arrive, make another.` };
  }
  const label = `A link to pass on to them, which works once, for ${works}`;
  return <SecretOnce title={title} label={label} secret={link} next={addressOf(view, PATH)} />;
}

/** Parses the filters of the address. Invalid ones are replaced by their defaults. */
function questionOf(view: View): UserQuestion & { sort: UserSort } {
  return {
    limit: ON_PAGE,
    cursor: queryParam(view, "after"),
    query: queryParam(view, "query")?.slice(0, 254),
    status: choice(view, "status", USER_STATUSES),
    sort: sortIn(view, USER_ORDERS) ?? "email",
  };
}

function idIn(form: URLSearchParams): string {
  return checked(usersContract.deleteUser.input, { userId: form.get("user") }).userId;
}
