import type { ReactElement } from "react";
import { asked } from "./asking.ts";
import type { View } from "./section.ts";

/** One of some values that a list is narrowed to, or all; what the address holds beside them stays offered. */
export function SelectField(props: {
  view: View;
  /** In the address. */
  name: string;
  label: string;
  /** What is chosen where the address says nothing. */
  all: string;
  choices: readonly string[];
}): ReactElement {
  const { view, name, label, all, choices } = props;
  const chosen = asked(view, name);
  const offered = chosen === undefined || choices.includes(chosen) ? choices : [chosen, ...choices];
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
