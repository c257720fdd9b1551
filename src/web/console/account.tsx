import type { ReactElement } from "react";
import type { Closing } from "../../accounts/closing/closing.ts";
import type { User } from "../../accounts/model.ts";
import { shutOf } from "../../accounts/shut.ts";
import { usersContract } from "../../accounts/users/contract.ts";
import type { Users } from "../../accounts/users/users.ts";
import { checked } from "../../contract/faults.ts";
import { iso } from "../../system/clock.ts";
import { Form } from "../form.tsx";
import { addressOf } from "./frame/address.ts";
import { linesFile } from "./frame/files.ts";
import type { Actions, Section, View } from "./frame/section.ts";
import { TwoSteps } from "./frame/two-steps.tsx";

const MAX_HEIRS = 200;

/** Actions on the account as a whole: leave it, transfer it, export its data, close it. */
export function accountSection(parts: {
  users: Pick<Users, "list" | "remove" | "transfer">;
  closing: Closing;
  /** Returns all data of the account as JSON lines. Throws `forbidden` unless the caller owns it. */
  exported: (view: View) => Promise<AsyncIterable<string>>;
}): Section {
  const { users, closing, exported } = parts;

  const actions: Actions = {
    async leave({ visit }) {
      await users.remove(visit.by, visit.by.userId);
      // Signed out with it, they are asked to sign in.
      return undefined;
    },
    async transfer({ visit }, form) {
      const { userId } = checked(usersContract.transferAccount.input, { userId: form.get("user") });
      const { owner } = await users.transfer(visit.by, userId);
      return { said: `${owner.email} owns this account now, and you are an admin.` };
    },
    async close({ visit }, form) {
      const { name } = checked(usersContract.closeAccount.input, { name: form.get("name") });
      await closing.close(visit.by, name);
      return { said: "This account is closed: its keys and devices are answered no more." };
    },
    async keep({ visit }) {
      await closing.keep(visit.by);
      return { said: "This account is kept: its keys and devices work again." };
    },
  };

  return {
    path: "/account",
    title: "Account",
    group: "Account",
    async needs({ visit }) {
      const shut = shutOf(visit.signedIn.account);
      return shut ? [{ said: shut.why, detail: shut.remedy, isUrgent: true }] : [];
    },
    async page(view) {
      const { account, user } = view.visit.signedIn;
      const owns = user.role === "owner";
      const heirs = owns ? (await users.list(account.id, { limit: MAX_HEIRS, status: "active" })).items : [];
      return (
        <>
          {account.deleteAt !== undefined && <Closed view={view} deleteAt={account.deleteAt} owns={owns} />}
          {owns && <a href={addressOf(view, "/account/export")}>Take everything along (JSON lines)</a>}
          {owns && <HandOver view={view} heirs={heirs.filter(({ id }) => id !== user.id)} />}
          <TwoSteps
            {...to(view, "leave")}
            verb="Leave this account"
            consequence="Your keys and devices in it end at once. Your other accounts stay."
          />
          {owns && account.deleteAt === undefined && (
            <TwoSteps
              {...to(view, "close")}
              verb="Close this account"
              consequence="Its keys and devices are answered no more. For 30 days an owner can keep it; then everything is deleted."
            >
              <div>
                <label htmlFor="name">Type its name, {account.name}, to make sure</label>
                <input id="name" name="name" autoComplete="off" required />
              </div>
            </TwoSteps>
          )}
        </>
      );
    },
    actions,
    download: async (view) => linesFile(view.visit.signedIn.account.id, await exported(view)),
  };
}

function Closed(props: { view: View; deleteAt: number; owns: boolean }): ReactElement {
  const { view, deleteAt, owns } = props;
  return (
    <div className="notice stack">
      <p>This account is closed and will be deleted after {iso(deleteAt).slice(0, 10)}.</p>
      {owns && (
        <Form action="/account" visit={view.visit}>
          <input type="hidden" name="do" value="keep" />
          <button type="submit">Keep it</button>
        </Form>
      )}
    </div>
  );
}

function HandOver({ view, heirs }: { view: View; heirs: readonly User[] }): ReactElement | null {
  if (heirs.length === 0) return null;
  return (
    <TwoSteps
      {...to(view, "transfer")}
      verb="Hand this account over"
      consequence="They own it from then on, and you are an admin."
    >
      <div>
        <label htmlFor="user">To</label>
        <select id="user" name="user">
          {heirs.map((user) => (
            <option key={user.id} value={user.id}>
              {user.email}
            </option>
          ))}
        </select>
      </div>
    </TwoSteps>
  );
}

/** Returns the props of a form that acts on the account. */
function to({ visit }: View, does: string) {
  return { action: "/account", visit, fields: { do: does } };
}
