import type { ReactElement } from "react";
import { asked } from "./asking.ts";
import type { View } from "./section.ts";

/** What a list is searched for: `query` in the address. */
export function FindField(props: {
  view: View;
  /** What is searched, such as "name or id". */
  searched: string;
  /** In characters; what the search itself takes. */
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
        defaultValue={asked(view, "query")}
      />
    </>
  );
}
