import type { ReactElement } from "react";
import { Form } from "../../form.tsx";
import type { Visit } from "../../visit.ts";

/** Takes two steps, the second of which says what will happen. */
export function Revoke(props: {
  action: string;
  visit: Visit;
  /** The hidden fields that name what is revoked. */
  fields: Readonly<Record<string, string>>;
  /** What it is called, for those who hear the button without its surroundings. */
  subject: string;
  consequence: string;
  /** What the button says; `Revoke` unless said. */
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
