import type { ReactElement } from "react";
import type { KnownKey } from "../../../accounts/credentials/api-keys.ts";
import { Form } from "../../form.tsx";
import { addressOf } from "../frame/address.ts";
import type { View } from "../frame/section.ts";

/** A button that suspends a key or resumes it. */
export function Stop(props: {
  knownKey: Pick<KnownKey, "id" | "name" | "suspendedAt">;
  view: View;
}): ReactElement {
  const { knownKey, view } = props;
  const isSuspended = knownKey.suspendedAt !== undefined;
  return (
    <Form action={addressOf(view, "/keys")} visit={view.visit}>
      <input type="hidden" name="do" value={isSuspended ? "resume" : "suspend"} />
      <input type="hidden" name="key" value={knownKey.id} />
      <button type="submit">
        {isSuspended ? "Resume" : "Stop"}
        <span className="unseen"> the key {knownKey.name}</span>
      </button>
    </Form>
  );
}
