import type { ReactElement, ReactNode } from "react";
import { Form } from "../form.tsx";
import type { Visit } from "../visit.ts";

/** The purpose of a form that uses a passkey. */
export type PasskeyKind = "sign-in" | "sign-up" | "add";

/** A form whose button uses a passkey. Hidden unless a script can do that (`script.ts`). */
export function PasskeyForm(props: {
  action: string;
  kind: PasskeyKind;
  visit: Visit;
  next?: string;
  children: ReactNode;
}): ReactElement {
  const { kind, children, ...form } = props;
  return (
    <Form {...form} className="stack" hidden data-passkey="">
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="answer" value="" />
      <p className="notice" role="alert" hidden />
      {children}
    </Form>
  );
}

export function NoPasskeys({ instead }: { instead: string }): ReactElement {
  return (
    <p className="muted small" data-no-passkey="">
      Passkeys need JavaScript and a browser that knows them. {instead}
    </p>
  );
}
