import type { ReactElement } from "react";
import { sorts } from "../frame/endpoint-calls.ts";
import { FilterForm, FindField } from "../frame/filter-form.tsx";
import type { View } from "../frame/section.ts";
import { PlanOptions } from "./forms.tsx";
import { type AccountsPorts, PATH } from "./ports.ts";
import { ORDERS } from "./question.ts";

export function Search({ view, plans }: { view: View; plans: AccountsPorts["plans"] }): ReactElement {
  const { query } = view;
  return (
    <FilterForm
      view={view}
      path={PATH}
      choices={{
        plan: plans.map(({ id }) => id),
        state: ["active", "suspended"],
        sort: sorts(ORDERS),
      }}
    >
      <FindField view={view} searched="name, id or e-mail" most={254} />
      <div className="inline">
        <label htmlFor="plan">Plan</label>
        <select id="plan" name="plan" defaultValue={query.get("plan") ?? ""}>
          <option value="">any</option>
          <PlanOptions plans={plans} />
        </select>
      </div>
      <div className="inline">
        <label htmlFor="state">State</label>
        <select id="state" name="state" defaultValue={query.get("state") ?? ""}>
          <option value="">any</option>
          <option>active</option>
          <option>suspended</option>
        </select>
      </div>
    </FilterForm>
  );
}
