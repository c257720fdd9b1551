import type { ReactElement, ReactNode } from "react";
import { Form } from "../../form.tsx";
import type { Visit } from "../../visit.ts";

/** An action in two steps: a disclosure, and behind it the form, which says what will happen. */
export function TwoSteps(props: {
  action: string;
  visit: Visit;
  /** The hidden fields of the form. */
  fields: Readonly<Record<string, string>>;
  /** What is done, on the disclosure and on the button. */
  verb: string;
  /** What it is done to, for screen readers, if `verb` does not say. */
  subject?: string;
  consequence: string;
  /** The fields to fill in. */
  children?: ReactNode;
}): ReactElement {
  const { action, visit, fields, subject, consequence, children } = props;
  const label = (
    <>
      {props.verb}
      {subject !== undefined && <span className="unseen"> {subject}</span>}
    </>
  );
  return (
    <details>
      <summary>{label}</summary>
      <Form action={action} visit={visit} className={children ? "stack" : "inline"}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <p className="small">{consequence}</p>
        {children}
        <button type="submit">{label}</button>
      </Form>
    </details>
  );
}
