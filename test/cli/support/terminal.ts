import { spawnSync } from "node:child_process";
import { onTestFinished } from "vitest";

/** Whether tmux is installed. Tests that draw are skipped without it. */
export const hasTerminal = spawnSync("tmux", ["-V"]).status === 0;

let terminals = 0;

/** Runs a command in a real terminal of a given size. */
export function terminal(
  command: readonly string[],
  { columns, rows, env }: { columns: number; rows: number; env: Record<string, string> },
) {
  const socket = `toolplane-test-${process.pid}-${terminals++}`;
  const tmux = (...words: string[]) =>
    spawnSync("tmux", ["-L", socket, "-f", "/dev/null", "-u", ...words], { encoding: "utf8", env }).stdout;
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  tmux(
    ...["new-session", "-d", "-x", String(columns), "-y", String(rows)],
    // Ctrl-C reaches the shell too, and would end it.
    `trap : INT; stty -echo; ${quoted}; echo "exit code $?"; read -r _`,
  );
  onTestFinished(() => void tmux("kill-server"));
  return {
    /** Returns the lines on the screen. */
    screen: (): string[] => tmux("capture-pane", "-p").trimEnd().split("\n"),
    /** Returns the screen with colours and everything that has scrolled off. */
    history: (): string => tmux("capture-pane", "-p", "-e", "-S", "-"),
    cursorVisible: () => tmux("display", "-p", "#{cursor_flag}").trim() === "1",
    press: (...keys: string[]) => void tmux("send-keys", ...keys),
    resize: (columns: number, rows: number) =>
      void tmux("resize-window", "-x", String(columns), "-y", String(rows)),
  };
}
