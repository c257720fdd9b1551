import type { ReactElement } from "react";
import { FOCUSED } from "../fault.tsx";

/** Shows a secret, or a link that is one, for the only time, and a link to `next`. */
export function SecretOnce(props: {
  title: string;
  /** The label of the secret, which says that or how often it works. */
  label: string;
  secret: string;
  /** A sentence about its use. */
  use?: string;
  next: string;
}): ReactElement {
  const { title, label, secret, use, next } = props;
  return (
    <div className="stack" role="status" {...FOCUSED}>
      <h2>{title}</h2>
      <div>
        <label htmlFor="secret">{label}</label>
        <input id="secret" readOnly value={secret} spellCheck={false} autoComplete="off" />
        <p className="small muted">
          It is not shown again. Click it twice, or reach it by Tab, to have all of it selected.
        </p>
      </div>
      {use !== undefined && <p className="muted">{use}</p>}
      <a className="button" href={next}>
        I have kept it
      </a>
    </div>
  );
}
