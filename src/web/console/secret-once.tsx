import type { ReactElement } from "react";
import { FOCUSED } from "../fault.tsx";

/** Shows a secret, for the only time, and a link to `next`. */
export function SecretOnce({
  title,
  secret,
  use,
  next,
}: {
  title: string;
  secret: string;
  /** A sentence about its use. */
  use: string;
  next: string;
}): ReactElement {
  return (
    <div className="stack" role="status" {...FOCUSED}>
      <h2>{title}</h2>
      <div>
        <label htmlFor="secret">Its secret, which is not shown again</label>
        <input id="secret" readOnly value={secret} spellCheck={false} autoComplete="off" />
        <p className="small muted">Click it twice, or reach it by Tab, to have all of it selected.</p>
      </div>
      <p className="muted">{use}</p>
      <a className="button" href={next}>
        I have kept it
      </a>
    </div>
  );
}
