import type { ReactElement } from "react";
import { type AlertType, SUBSCRIBED_TYPES } from "../../../alerts/alert.ts";

/** The prefix of the field for each alert type, since no field may repeat. */
const FIELD = "type:";

export const NAMES: Record<AlertType, string> = {
  "limit.warning": "80 % of a window of requests used",
  "limit.reached": "A window of requests used up",
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
};

/** Returns the types that are ticked in a form. */
export function typesIn(form: URLSearchParams): AlertType[] {
  return SUBSCRIBED_TYPES.filter((type) => form.has(FIELD + type));
}

/** Shows a checkbox for each type. */
export function Types({ chosen }: { chosen: readonly string[] }): ReactElement {
  return (
    <fieldset className="checks">
      <legend>Alerts</legend>
      {SUBSCRIBED_TYPES.map((type) => (
        <label key={type} className="check">
          <input type="checkbox" name={FIELD + type} defaultChecked={chosen.includes(type)} />
          {NAMES[type]}
        </label>
      ))}
    </fieldset>
  );
}
