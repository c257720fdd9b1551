import type { ReactElement, ReactNode } from "react";
import { queryParam } from "./endpoint-calls.ts";
import { Live } from "./live.tsx";
import type { View } from "./section.ts";

/** A search form that keeps the account and project, and filters as the user types. */
export function FilterForm(props: {
  view: View;
  path: string;
  /** `inline`, the default, or `fields`, with each field below its label. */
  className?: "inline" | "fields";
  /** The only valid values of some parameters, by name. */
  choices?: Readonly<Record<string, readonly string[]>>;
  children: ReactNode;
}): ReactElement {
  const { view, path, className = "inline", choices = {}, children } = props;
  return (
    <>
      <form method="get" action={path} className={className} data-filter="">
        <Kept view={view} names={["account", "project", "sort"]} />
        {children}
        <button type="submit">Search</button>
      </form>
      <LeftOut view={view} names={invalidChoices(choices, view)} />
    </>
  );
}

/** Passes parameters of the address on with a form. */
export function Kept({ view, names }: { view: View; names: readonly string[] }): ReactElement {
  return (
    <>
      {names.map((name) => {
        const value = view.query.get(name);
        return value && <input key={name} type="hidden" name={name} value={value} />;
      })}
    </>
  );
}

/** The maximum length of any search: percent-encoded, in any script, it fits into the 16 KiB of a request's head. */
const MAX_SEARCH = 1500;

/** A search field, `query` in the address. */
export function FindField(props: {
  view: View;
  /** What the search covers, such as "name or id". */
  searched: string;
  /** The maximum length in characters, as the search has it. */
  most: number;
}): ReactElement {
  const { view, searched, most } = props;
  return (
    <>
      <label htmlFor="query">Find</label>
      <input
        id="query"
        name="query"
        type="search"
        maxLength={most}
        placeholder={searched}
        defaultValue={queryParam(view, "query")}
      />
    </>
  );
}

/** A field to search by, with its label inside. */
export function SearchField(props: {
  view: View;
  /** Its name in the address. */
  name: string;
  label: string;
  /** Whether it takes a line of its own. */
  whole?: boolean;
}): ReactElement {
  const { view, name, label, whole } = props;
  return (
    <>
      <label className="unseen" htmlFor={name}>
        {label}
      </label>
      <input
        id={name}
        className={whole ? "whole" : undefined}
        name={name}
        type="search"
        maxLength={MAX_SEARCH}
        placeholder={label}
        defaultValue={queryParam(view, name)}
      />
    </>
  );
}

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

/** Returns the parameters whose value in the address is not one of their choices. */
export function invalidChoices(choices: Readonly<Record<string, readonly string[]>>, view: View): string[] {
  return Object.keys(choices).filter((name) => {
    const value = queryParam(view, name);
    return value !== undefined && !choices[name]?.includes(value);
  });
}

/** Says which parts of the address were ignored, since the page does not answer what was asked. */
export function LeftOut({ view, names }: { view: View; names: readonly string[] }): ReactElement {
  const leftOut = names.filter((name) => queryParam(view, name) !== undefined);
  const said = leftOut.map((name) => `${name} “${queryParam(view, name)?.slice(0, 64)}”`).join(", ");
  return (
    <Live name="left-out" still>
      {said && <p className="notice">Left out, since it cannot be shown: {said}.</p>}
    </Live>
  );
}
