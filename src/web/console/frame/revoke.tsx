import type { ReactElement } from "react";
import { Form } from "../../form.tsx";
import type { Visit } from "../../visit.ts";

/** A form behind a disclosure, which says what will happen. */
export function Revoke(props: {
  action: string;
  visit: Visit;
  /** The hidden fields that identify what is revoked. */
  fields: Readonly<Record<string, string>>;
  /** The name of what is revoked, for screen readers. */
  subject: string;
  consequence: string;
  /** The label of the button; `Revoke` by default. */
  verb?: string;
}): ReactElement {
  const { verb = "Revoke" } = props;
  return (
    <details>
      <summary>
        {verb}
        <span className="unseen"> {props.subject}</span>
      </summary>
      <Form action={props.action} visit={props.visit} className="inline">
        {Object.entries(props.fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <p className="small">{props.consequence}</p>
        <button type="submit">
          {verb}
          <span className="unseen"> {props.subject}</span>
        </button>
      </Form>
    </details>
  );
}
