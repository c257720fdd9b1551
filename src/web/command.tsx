import type { ReactElement } from "react";
import { shellWord } from "../system/processes/shell-word.ts";

/** Shows a command to copy, which one click selects. It is one text, so that it is found on the page as it is typed. */
export function Command({ children }: { children: string }): ReactElement {
  return (
    <pre className="command">
      <code>{children}</code>
    </pre>
  );
}

/** The server that the command line uses by default. */
const DEFAULT_BASE_URL = "http://127.0.0.1:4242";

/** Returns a command that addresses this server, whatever server the command line is signed in to. */
export function commandFor(baseUrl: string, words: string, projectId?: string): string {
  const project =
    projectId === undefined || projectId === "default" ? "" : ` --project ${shellWord(projectId)}`;
  return `tool ${words}${project}${baseUrl === DEFAULT_BASE_URL ? "" : ` --base-url ${shellWord(baseUrl)}`}`;
}

/** Returns the command that signs a terminal in to this server. */
export function loginCommand(baseUrl: string): string {
  return commandFor(baseUrl, "login");
}
