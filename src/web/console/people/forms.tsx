import type { ReactElement } from "react";
import { includes, ROLES } from "../../../accounts/roles.ts";
import { USER_ORDERS } from "../../../accounts/users/search.ts";
import { USER_STATUSES } from "../../../accounts/users/status.ts";
import { Form } from "../../form.tsx";
import { addressOf } from "../frame/address.ts";
import { sorts } from "../frame/endpoint-calls.ts";
import { FilterForm, FindField, SelectField } from "../frame/filter-form.tsx";
import type { View } from "../frame/section.ts";
import { PATH } from "./actions.tsx";

export function Search({ view }: { view: View }): ReactElement {
  return (
    <FilterForm view={view} path={PATH} choices={{ status: USER_STATUSES, sort: sorts(USER_ORDERS) }}>
      <FindField view={view} searched="e-mail" most={254} />
      <SelectField view={view} name="status" label="State" all="any state" choices={USER_STATUSES} />
    </FilterForm>
  );
}

export function Invite({ view }: { view: View }): ReactElement {
  return (
    <>
      <h2 id="invite">Invite somebody</h2>
      <Form action={addressOf(view, PATH)} visit={view.visit} className="stack">
        <input type="hidden" name="do" value="invite" />
        <div>
          <label htmlFor="email">E-mail</label>
          <input id="email" name="email" type="email" autoComplete="off" required />
        </div>
        <div>
          <label htmlFor="role">Role</label>
          <select id="role" name="role" defaultValue="member">
            <RoleOptions view={view} />
          </select>
        </div>
        <button type="submit" className="filled">
          Invite
        </button>
      </Form>
    </>
  );
}

/** The roles that the viewer may give: up to their own. */
export function RoleOptions({ view }: { view: View }): ReactElement[] {
  const { role: own } = view.visit.signedIn.user;
  return ROLES.filter((role) => includes(own, role)).map((role) => <option key={role}>{role}</option>);
}
