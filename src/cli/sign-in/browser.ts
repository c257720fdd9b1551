import open from "open";
import type { Io } from "../terminal/io.ts";

/**
 * Opens `url` on a graphical desktop. Returns false without one: over SSH, in a container or under CI,
 * nothing would appear, or a text browser would take over the terminal.
 */
export async function openBrowser(url: string, io: Io): Promise<boolean> {
  const { environment, platform } = io;
  if (environment.SSH_CONNECTION || environment.SSH_TTY || !io.err.live) return false;
  const desktop = environment.DISPLAY || environment.WAYLAND_DISPLAY;
  if (platform !== "darwin" && platform !== "win32" && !desktop) return false;
  try {
    await open(url);
    return true;
  } catch {
    return false;
  }
}
