import type { ReactElement } from "react";
import { ACCOUNT_TYPES, type AlertType, OWN_TYPES } from "../../../alerts/alert.ts";

/** The prefix of the field for each alert type, since no field may repeat. */
const FIELD = "type:";

export const NAMES: Record<AlertType, string> = {
  "limit.warning": "80 % of a window of requests used",
  "limit.reached": "A window of requests used up",
  "plan.ending": "The plan ends within three days",
  "key.refused": "A key refused",
  "error_group.new": "A new error",
  "error_group.regressed": "An error that is back",
  "error_group.unignored": "An error no longer ignored",
  "anomaly.found": "An anomaly",
  "upstream.down": "An upstream down",
  "upstream.up": "An upstream up again",
  "webhook.disabled": "A webhook turned off",
  "alerts.held_back": "Too many alerts",
  "webhook.test": "A test",
  "account.signed_up": "Somebody signed up",
  "account.created": "An account made by an operator",
  "account.updated": "Name, plan or limits changed",
  "account.plan_ending": "An account's plan ends within three days",
  "account.transferred": "Another owner",
  "account.suspended": "An account suspended",
  "account.resumed": "An account that goes on",
  "account.closed": "An account closed by its owner",
  "account.kept": "A closed account kept after all",
  "account.deleted": "An account deleted",
};

/** Returns the types that are ticked in a form. */
export function typesIn(form: URLSearchParams): AlertType[] {
  return [...OWN_TYPES, ...ACCOUNT_TYPES].filter((type) => form.has(FIELD + type));
}

/** Shows a checkbox for each type about the account's own affairs. */
export function OwnTypes({ chosen }: { chosen: readonly string[] }): ReactElement {
  return <Types legend="Alerts" types={OWN_TYPES} chosen={chosen} />;
}

/** Shows a checkbox for each type about accounts of the server, for operators. */
export function AccountTypes({ chosen }: { chosen: readonly string[] }): ReactElement {
  return <Types legend="About accounts of this server" types={ACCOUNT_TYPES} chosen={chosen} />;
}

function Types(props: {
  legend: string;
  types: readonly AlertType[];
  chosen: readonly string[];
}): ReactElement {
  const { legend, types, chosen } = props;
  return (
    <fieldset className="checks">
      <legend>{legend}</legend>
      {types.map((type) => (
        <label key={type} className="check">
          <input type="checkbox" name={FIELD + type} defaultChecked={chosen.includes(type)} />
          {NAMES[type]}
        </label>
      ))}
    </fieldset>
  );
}
