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

/** A command of the command line that speaks to this server whatever its reader is signed in to. */
export function commandFor(baseUrl: string, words: string, projectId?: string): string {
  const project = projectId === undefined || projectId === "default" ? "" : ` --project ${quoted(projectId)}`;
  return `tool ${words}${project}${baseUrl === DEFAULT_BASE_URL ? "" : ` --base-url ${quoted(baseUrl)}`}`;
}

/** How to sign a terminal in to this server. */
export function loginCommand(baseUrl: string): string {
  return commandFor(baseUrl, "login");
}

/** As one word of a POSIX shell. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
