import type { ReactElement, ReactNode } from "react";
import { shellWord } from "../system/processes/shell-word.ts";

/** Shows a command to copy, which one click selects. */
export function Command({ children }: { children: string }): ReactElement {
  return (
    <pre className="command">
      <code>{withWholeOptions(children)}</code>
    </pre>
  );
}

/** Keeps options on one line: broken at its hyphens, `--project` would read as the `--` before a command. */
function withWholeOptions(command: string): ReactNode[] {
  return command.split(/(?<=\s)(--?[a-z][a-z-]*)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: nothing moves
      <span key={index} className="nowrap">
        {part}
      </span>
    ),
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
