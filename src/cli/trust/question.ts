import type { ProjectServer } from "../settings/settings.ts";
import { confirm } from "../terminal/confirm.ts";
import { inset } from "../terminal/inset.ts";
import type { Io } from "../terminal/io.ts";

/** Whether the person at the terminal trusts a server that a project names. Anything but yes is no. */
export async function askForTrust({ file, directory, server }: ProjectServer, io: Io): Promise<boolean> {
  const { style, symbols } = io.err;
  const say = (line: string) => io.err.line(inset(line, io.err));
  say(`${style.yellow(symbols.attention)} ${file} names the server ${style.bold(server)}.`);
  for (const line of remarksOn(server)) say(line);
  say(`Whoever runs it gets your credential with every command in ${directory}.`);
  return confirm(io, "Send it there from now on?");
}

/** A name that looks like another one does so in letters beyond ASCII, which Punycode shows. */
function remarksOn(server: string): string[] {
  const { hostname } = new URL(server);
  return /(^|\.)xn--/.test(hostname)
    ? ["That name has letters beyond ASCII, and may look like another one where it is shown with them."]
    : [];
}
