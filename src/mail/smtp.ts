import { hash } from "node:crypto";
import { isLoopback } from "../system/network/loopback.ts";
import { type Deliver, type Letter, RecipientRefused, Undeliverable } from "./post.ts";

/** The settings for sending mail. */
export interface SmtpSettings {
  /** `smtps://user:password@mail.example.com`, or `smtp://…`, which requires STARTTLS except on this machine. */
  smtpUrl: string;
  /** The sender: `Toolplane <sign-in@example.com>`. */
  from: string;
}

const SECONDS = 1_000;
const ADDRESS = /^(?:[^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/;

/** Throws an `Error` with a message for the operator if the settings are invalid. */
export function checkMail({ smtpUrl, from }: SmtpSettings): void {
  if (!isMailServer(smtpUrl)) {
    throw new Error(
      "mail.smtpUrl or TOOL_SMTP_URL takes the URL of a mail server, such as smtps://user:password@mail.example.com or smtp://127.0.0.1:1025, with special characters of user and password percent-encoded, such as %40 for @.",
    );
  }
  if (!ADDRESS.test(from)) {
    const given = from === "" ? "" : `; "${from}" has no such address`;
    throw new Error(
      `TOOL_SMTP_URL needs TOOL_MAIL_FROM, or mail.smtpUrl mail.from: who the mail comes from, such as Toolplane <sign-in@example.com>${given}.`,
    );
  }
}

/** Anything after the host, or a lone %, is of a password with a character that should have been encoded. */
function isMailServer(text: string): boolean {
  try {
    const { protocol, hostname, pathname, search, hash, username, password } = new URL(text);
    decodeURIComponent(username + password);
    return /^smtps?:$/.test(protocol) && hostname !== "" && pathname.replace("/", "") + search + hash === "";
  } catch {
    return false;
  }
}

/** The time limit for a whole letter. Idle timeouts do not catch a server that sends a little now and then. */
const LETTER_MS = 60 * SECONDS;

/** Loads the mail library at the first letter. Each connection ends with its letter. */
export function createSmtp({ smtpUrl, from }: SmtpSettings, letterMs = LETTER_MS): Deliver {
  return async (letter) => {
    const { createTransport } = await import("nodemailer");
    const transport = createTransport(
      {
        ...serverAt(new URL(smtpUrl)),
        connectionTimeout: 10 * SECONDS,
        greetingTimeout: 10 * SECONDS,
        socketTimeout: 20 * SECONDS,
        dnsTimeout: 10 * SECONDS,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    );
    try {
      await transport.sendMail({
        ...letter,
        // As an object, since the library reads a text as a list of addresses.
        to: { name: "", address: letter.to },
        messageId: messageIdOf(letter, from),
        signal: AbortSignal.timeout(letterMs),
        // Suppresses automatic replies, such as out-of-office messages (RFC 3834 §5).
        headers: { "Auto-Submitted": "auto-generated" },
      });
    } catch (cause) {
      const { responseCode, command } = cause as { responseCode?: number; command?: string };
      if (responseCode !== undefined && responseCode >= 500) {
        const Refusal = command === "RCPT TO" ? RecipientRefused : Undeliverable;
        throw new Refusal("the mail server does not take this letter", { cause });
      }
      throw cause;
    } finally {
      transport.close();
    }
  };
}

/**
 * Returns the same id at each attempt. A server may take a letter and be cut off before it says so: by the id, mailboxes
 * recognise the second copy (RFC 5322 §3.6.4).
 */
function messageIdOf({ to, subject, text }: Letter, from: string): string {
  const domain = from.slice(from.lastIndexOf("@") + 1).replace(">", "");
  const id = hash("sha256", JSON.stringify([to, subject, text]), "hex").slice(0, 32);
  return `<${id}@${domain}>`;
}

function serverAt({ protocol, hostname, port, username, password }: URL) {
  const secure = protocol === "smtps:";
  const host = hostname.replace(/^\[|\]$/g, "");
  return {
    host,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    // Letters contain sign-in links, so they must not be sent over the network in the clear.
    requireTLS: !secure && !isLoopback(hostname),
    ignoreTLS: !secure && isLoopback(hostname),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
}
