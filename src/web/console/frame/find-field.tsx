import type { ReactElement } from "react";
import { queryParam } from "./endpoint-calls.ts";
import type { View } from "./section.ts";

/** The maximum length of any search: percent-encoded, in any script, it fits into the 16 KiB of a request's head. */
export const MAX_SEARCH = 1500;

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
