import type { ReactElement } from "react";
import { hasExpired } from "../../../accounts/credentials/api-keys.ts";
import type { KnownKey } from "../../../accounts/credentials/key-search.ts";
import { Form } from "../../form.tsx";
import type { View } from "../frame/section.ts";

/** A button that suspends a key or resumes it. Null for an expired key, which nobody can use either way. */
export function Stop(props: {
  knownKey: Pick<KnownKey, "id" | "name" | "suspendedAt" | "expiresAt">;
  /** The address of the page to go on with. */
  next: string;
  view: View;
}): ReactElement | null {
  const { knownKey, next, view } = props;
  if (hasExpired(knownKey, view.now)) return null;
  const isSuspended = knownKey.suspendedAt !== undefined;
  return (
    <Form action={next} visit={view.visit}>
      <input type="hidden" name="do" value={isSuspended ? "resume" : "suspend"} />
      <input type="hidden" name="key" value={knownKey.id} />
      <button type="submit">
        {isSuspended ? "Resume" : "Stop"}
        <span className="unseen"> the key {knownKey.name}</span>
      </button>
    </Form>
  );
}
