import type { ReactElement } from "react";
import { asked } from "./asking.ts";
import type { View } from "./section.ts";

/** One of some values that a list is narrowed to, or all. */
export function SelectField(props: {
  view: View;
  /** In the address. */
  name: string;
  label: string;
  /** What is chosen where the address says nothing. */
  all: string;
  choices: readonly string[];
  /** What the address holds beside them is asked for, too. */
  open?: boolean;
}): ReactElement {
  const { view, name, label, all, choices, open = false } = props;
  const chosen = asked(view, name);
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
