import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { onTestFinished } from "vitest";

export interface Received {
  from: string;
  to: string;
  /** Headers and text, decoded from quoted-printable. */
  text: string;
}

/** Starts a mail server, stopped after the test. `refuse` may return an SMTP reply code to reject a recipient. */
export async function startMailServer(
  options: { refuse?: (to: string) => number | undefined } = {},
): Promise<{ url: string; received: Received[]; next(): Promise<Received> }> {
  const received: Received[] = [];
  const waiting: ((letter: Received) => void)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, done) {
      const code = options.refuse?.(address);
      done(code === undefined ? undefined : Object.assign(new Error("refused"), { responseCode: code }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const letter: Received = {
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address).join(),
          text: unquoted(Buffer.concat(chunks).toString()),
        };
        received.push(letter);
        waiting.shift()?.(letter);
        done();
      });
    },
  });
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    next: () => new Promise((resolve) => waiting.push(resolve)),
  };
}

/** Returns the link in a letter. */
export function linkOf({ text }: Received): string {
  const link = /^https?:\/\/\S+$/m.exec(text)?.[0];
  if (link === undefined) throw new Error(`no link in: ${text}`);
  return link;
}

/** Decodes quoted-printable text (RFC 2045 §6.7). */
function unquoted(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll("=\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
