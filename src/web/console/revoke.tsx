import type { ReactElement } from "react";
import { Form } from "../layout.tsx";
import type { Visit } from "../visit.ts";

/** Takes two steps, the second of which says what will happen. */
export function Revoke(props: {
  action: string;
  visit: Visit;
  /** The hidden field that names what is revoked. */
  field: { name: string; value: string };
  /** What it is called, for those who hear the button without its surroundings. */
  subject: string;
  consequence: string;
}): ReactElement {
  return (
    <details>
      <summary>
        Revoke<span className="unseen"> {props.subject}</span>
      </summary>
      <Form action={props.action} visit={props.visit} className="inline">
        <input type="hidden" name={props.field.name} value={props.field.value} />
        <p className="small">{props.consequence}</p>
        <button type="submit">
          Revoke<span className="unseen"> {props.subject}</span>
        </button>
      </Form>
    </details>
  );
}
