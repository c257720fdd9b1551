import type { ReactElement } from "react";
import type { KnownKey } from "../../../accounts/credentials/key-search.ts";
import { Ago, Until } from "../../time.tsx";

export function Expires({ knownKey: { expiresAt }, now }: { knownKey: KnownKey; now: number }): ReactElement {
  if (expiresAt === undefined) return <>never</>;
  if (expiresAt <= now) return <>expired</>;
  return (
    <>
      in <Until at={expiresAt} now={now} />
    </>
  );
}

export function LastUse({ knownKey, now }: { knownKey: KnownKey; now: number }): ReactElement {
  if (knownKey.lastUsedAt === undefined) return <>never used</>;
  return (
    <>
      used <Ago at={knownKey.lastUsedAt} now={now} />
      {knownKey.lastUsedAddress !== undefined && ` from ${knownKey.lastUsedAddress}`}
    </>
  );
}

export function Expiry({ knownKey, now }: { knownKey: KnownKey; now: number }): ReactElement | null {
  const { expiresAt } = knownKey;
  if (expiresAt === undefined) return null;
  if (expiresAt <= now) return <> · expired</>;
  return (
    <>
      {" · expires in "}
      <Until at={expiresAt} now={now} />
    </>
  );
}
