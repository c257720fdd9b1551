import type { ReactElement, ReactNode } from "react";
import { Form } from "../form.tsx";
import type { Visit } from "../visit.ts";

/** What a form asks a passkey for. */
export type PasskeyKind = "sign-in" | "sign-up" | "add";

/** A form whose button asks for a passkey; seen only where a script can (`script.ts`). */
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
