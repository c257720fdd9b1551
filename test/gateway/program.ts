import { onTestFinished } from "vitest";
import { readMessage } from "../../src/gateway/message.ts";
import { stdioUpstream } from "../../src/gateway/upstreams/stdio-upstream.ts";
import { type Clock, systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";

/** Starts a JavaScript program behind the gateway, and stops it after the test. `by`: a command that runs it. */
export function startProgram(
  code: string,
  by: readonly string[] = [],
  timeoutMs = 60_000,
  clock: Clock = systemClock,
) {
  const logged: string[] = [];
  const upstream = stdioUpstream({
    name: "notes",
    title: "Notes",
    command: [...by, process.execPath, "-e", code],
    env: {},
    timeoutMs,
    clock,
    log: createLog("warn", { write: (line) => void logged.push(line) }),
  });
  onTestFinished(() => upstream.close());
  /** Sends a client's message. */
  const send = (
    owner: string,
    message: object,
    headers: Record<string, string> = {},
    signal = new AbortController().signal,
    accountId = "acc_1",
  ) =>
    upstream.send({
      method: "POST",
      headers,
      owner,
      accountId,
      sign: async () => "signed anew",
      message: readMessage(message, JSON.stringify(message)),
      signal,
    });
  /** Sends a client's request and returns the parsed answer. */
  const ask = async (owner: string, method: string, params: object = {}) =>
    JSON.parse(await textOf((await send(owner, { jsonrpc: "2.0", id: 1, method, params })).body));
  return { send, ask, close: upstream.close, logged };
}

export async function textOf(body: AsyncIterable<string | Uint8Array>): Promise<string> {
  let text = "";
  for await (const piece of body) text += piece;
  return text;
}
