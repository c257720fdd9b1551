import type { ProjectServer } from "../settings/settings.ts";
import { confirm } from "../terminal/confirm.ts";
import { inset } from "../terminal/inset.ts";
import type { Io } from "../terminal/io.ts";

/** Asks whether the user trusts a server that a project names. Anything but yes is no. */
export async function askForTrust({ file, directory, server }: ProjectServer, io: Io): Promise<boolean> {
  const { style, marks } = io.err;
  const say = (line: string) => io.err.line(inset(line, io.err));
  say(`${marks.attention} ${file} names the server ${style.bold(server)}.`);
  for (const line of remarksOn(server)) say(line);
  say(`Whoever runs it gets your credential with every command in ${directory}.`);
  return confirm(io, "Send it there from now on?");
}

/** Returns a warning about a name with letters beyond ASCII, which Punycode shows: it may imitate another name. */
function remarksOn(server: string): string[] {
  const { hostname } = new URL(server);
  return /(^|\.)xn--/.test(hostname)
    ? ["That name has letters beyond ASCII, and may look like another one where it is shown with them."]
    : [];
}
