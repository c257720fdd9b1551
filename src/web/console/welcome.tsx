import type { ReactElement } from "react";
import { Command, loginCommand } from "../command.tsx";
import { Page } from "../layout.tsx";

/** The start page for people who are not signed in: what this is, and two ways to sign in. */
export function WelcomePage({ baseUrl }: { baseUrl: string }): ReactElement {
  return (
    <Page title="Start" width="narrow">
      <div className="card stack">
        <h1>The control plane of your developer tool</h1>
        <p>Sign-in from a terminal, usage metering, entitlements, and tools for coding agents.</p>
        <h2>In a terminal</h2>
        <Command>{loginCommand(baseUrl)}</Command>
        <h2>In this browser</h2>
        <a className="button filled" href="/sign-in">
          Sign in
        </a>
        <p className="muted small">
          For programs: <a href="/docs">API reference</a>, <a href="/openapi.json">OpenAPI document</a>.
        </p>
      </div>
    </Page>
  );
}
