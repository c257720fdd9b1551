import type { ReactElement } from "react";
import { queryParam } from "./endpoint-calls.ts";
import type { View } from "./section.ts";

/** Filters a list by one of some values, or shows all. */
export function SelectField(props: {
  view: View;
  /** Its name in the address. */
  name: string;
  label: string;
  /** The label of the choice that does not filter. */
  all: string;
  choices: readonly string[];
  /** Whether other values in the address are allowed as well. */
  open?: boolean;
}): ReactElement {
  const { view, name, label, all, choices, open = false } = props;
  const chosen = queryParam(view, name);
  const offered = !open || chosen === undefined || choices.includes(chosen) ? choices : [chosen, ...choices];
  return (
    <>
      <label className="unseen" htmlFor={name}>
        {label}
      </label>
      <select id={name} name={name} defaultValue={chosen ?? ""}>
        <option value="">{all}</option>
        {offered.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </>
  );
}
