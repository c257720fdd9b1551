import type { KeyringAnswer, KeyringModule, KeyringRequest } from "./keyring-process.ts";

/** The operating system's secret store, accessed by a child process with a timeout. */
export interface Keyring {
  /** Stores a secret with `module`, or the first module that works. The answer names it, or says why none did. */
  set(account: string, secret: string, module?: KeyringModule): Promise<KeyringAnswer>;
  get(account: string, module: KeyringModule): Promise<KeyringAnswer>;
  delete(account: string, module: KeyringModule): Promise<KeyringAnswer>;
}

const LIMIT_MS = 3_000;
/** For a person to enter the password that a locked store asks for before it is read. */
const PROMPT_LIMIT_MS = 60_000;

export interface KeyringOptions {
  limitMs?: number;
  /** Called when a read takes long, as for a prompt. Returns whether somebody is there to answer, who is waited for. */
  onPrompt?: () => boolean;
}

/** @param command the command line that makes this program call `runKeyringProcess` */
export function createKeyring(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { limitMs = LIMIT_MS, onPrompt }: KeyringOptions = {},
): Keyring {
  return {
    set: (account, secret, module) => ask({ action: "set", account, secret, module }),
    get: (account, module) => ask({ action: "get", account, module }),
    delete: (account, module) => ask({ action: "delete", account, module }),
  };

  async function ask(request: KeyringRequest): Promise<KeyringAnswer> {
    const { spawn } = await import("node:child_process");
    const [program = process.execPath, ...words] = command;
    const { TOOL_TOKEN: _, ...inherited } = environment;
    return new Promise((resolve) => {
      const child = spawn(program, words, {
        env: inherited,
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      });
      const kill = () => child.kill("SIGKILL");
      // Its prompt must not outlive a command that was interrupted.
      process.once("exit", kill);
      const giveUp = (afterMs: number) => {
        kill();
        answer({ reason: `no answer within ${afterMs / 1000} s` });
      };
      let limit = setTimeout(() => {
        if (request.action !== "get" || !onPrompt?.()) return giveUp(limitMs);
        limit = setTimeout(() => giveUp(PROMPT_LIMIT_MS), PROMPT_LIMIT_MS - limitMs);
      }, limitMs);
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (piece: string) => {
        output += piece;
      });
      child.on("error", (error) => answer({ reason: error.message }));
      child.on("close", () => answer(parse(output)));
      // If the child ends before it reads, its "close" event is the answer.
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(request));

      function answer(value: KeyringAnswer): void {
        clearTimeout(limit);
        process.off("exit", kill);
        resolve(value);
      }
    });
  }
}

function parse(output: string): KeyringAnswer {
  try {
    return JSON.parse(output);
  } catch {
    return { reason: "its process ended without an answer" };
  }
}
