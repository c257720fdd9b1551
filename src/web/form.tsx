import type { ReactElement, ReactNode } from "react";
import { TOKEN_FIELD } from "./forms.ts";
import type { Visit } from "./visit.ts";

/** A button that submits its form, and names what the form does. */
export function Do({ what, children }: { what: string; children: ReactNode }): ReactElement {
  return (
    <button type="submit" name="do" value={what}>
      {children}
    </button>
  );
}

/** A form that changes something: a POST with this browser's form token. */
export function Form(props: {
  action: string;
  visit: Visit;
  className?: string;
  /** Where to go afterwards, sent as a hidden field. */
  next?: string | undefined;
  hidden?: boolean;
  "data-passkey"?: string;
  children: ReactNode;
}): ReactElement {
  const { action, className, hidden, "data-passkey": passkey } = props;
  return (
    <form method="post" action={action} className={className} hidden={hidden} data-passkey={passkey}>
      <input type="hidden" name={TOKEN_FIELD} value={props.visit.formToken} />
      {props.next && <input type="hidden" name="next" value={props.next} />}
      {props.children}
    </form>
  );
}
