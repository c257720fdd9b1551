import type { ReactElement } from "react";

/** Lists the requested scopes with their descriptions, and says which of them this person cannot grant. */
export function ScopeList(props: {
  scopes: readonly { scope: string; description: string; granted: boolean }[];
}): ReactElement {
  return (
    <ul className="scopes">
      {props.scopes.map(({ scope, description, granted }) => (
        <li key={scope} className={granted ? undefined : "muted"}>
          <strong>{scope}</strong>
          <span className="small">
            {description}
            {!granted && ". Not included: you do not have this scope yourself."}
          </span>
        </li>
      ))}
    </ul>
  );
}
