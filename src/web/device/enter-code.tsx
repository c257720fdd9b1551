import type { ReactElement } from "react";
import { Command, loginCommand } from "../command.tsx";
import { WhoDecides } from "../consent/who-decides.tsx";
import { atFault, Fault } from "../fault.tsx";
import { Page } from "../layout.tsx";
import type { SignedInVisit } from "../visit.ts";

/** Asks for a code. `fault` says what is wrong with the one that was entered. */
export function EnterCode(props: {
  visit: SignedInVisit;
  baseUrl: string;
  entered?: string;
  fault?: string;
}): ReactElement {
  return (
    <Page title="Enter the code" width="narrow">
      <div className="card stack">
        <h1>Enter the code that your device shows</h1>
        <Fault>{props.fault}</Fault>
        <form method="get" action="/device" className="stack">
          <div>
            <label htmlFor="user_code">Code</label>
            <input
              id="user_code"
              name="user_code"
              defaultValue={props.entered}
              placeholder="XXXX-XXXX"
              {...atFault(Boolean(props.fault))}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={32}
              required
              // biome-ignore lint/a11y/noAutofocus: this field is the only purpose of the page
              autoFocus
            />
          </div>
          <button type="submit" className="filled">
            Continue
          </button>
        </form>
        <p className="muted small">No code yet? Run this on the device that is to be signed in:</p>
        <Command>{loginCommand(props.baseUrl)}</Command>
        <WhoDecides visit={props.visit} next="/device" />
      </div>
    </Page>
  );
}
