import type { ReactElement } from "react";

/** A command to copy: one click selects it whole. */
export function Command({ children }: { children: string }): ReactElement {
  return (
    <pre className="command">
      <code>{children}</code>
    </pre>
  );
}

/** Where the command line looks unless it is told. */
const DEFAULT_BASE_URL = "http://127.0.0.1:4242";

/** How to sign a terminal in to this server. */
export function loginCommand(baseUrl: string): string {
  return baseUrl === DEFAULT_BASE_URL ? "tool login" : `tool login --base-url ${baseUrl}`;
}
