import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { RecipientRefused, Undeliverable } from "../../src/mail/post.ts";
import { checkMail, createSmtp } from "../../src/mail/smtp.ts";
import { linkOf, startMailServer } from "../support/services/mail-server.ts";

const FROM = "Toolplane <sign-in@plane.example>";
const LETTER = {
  to: "ada@example.com",
  subject: "Your sign-in link",
  text: `Open this:\n\nhttps://plane.example/sign-in?link=tsl_${"0".repeat(90)}\n\nIt works once.\n`,
};

describe("delivery to a mail server", () => {
  it("transmits the letter with its sender and text unchanged", async () => {
    const { url, received } = await startMailServer();
    await createSmtp({ smtpUrl: url, from: FROM })(LETTER);
    expect(received).toMatchObject([{ from: "sign-in@plane.example", to: LETTER.to }]);
    expect(linkOf(received[0]!)).toBe(linkOf(LETTER as never));
    expect(received[0]?.text).toContain(`From: ${FROM}`);
    expect(received[0]?.text).toContain("Auto-Submitted: auto-generated");
  });

  it("sends a letter again under the same message id, and another one under another", async () => {
    const { url, received } = await startMailServer();
    const deliver = createSmtp({ smtpUrl: url, from: FROM });
    for (const letter of [LETTER, LETTER, { ...LETTER, text: "Something else" }]) await deliver(letter);
    const [first, again, other] = received.map(({ text }) => /^Message-ID: (.*)$/im.exec(text)?.[1]);
    expect(first).toMatch(/^<[0-9a-f]{32}@plane\.example>$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it("sends to one recipient and drops a header injected through the subject", async () => {
    const { url, received } = await startMailServer();
    const deliver = createSmtp({ smtpUrl: url, from: FROM });
    await deliver({ ...LETTER, subject: "Hello\r\nBcc: eve@example.com" });
    expect(received.map(({ to }) => to)).toEqual([LETTER.to]);
    expect(received[0]?.text).not.toMatch(/^Bcc:/im);
  });

  it.each([
    "ada@example.com, eve@example.com",
    "ada@example.com; eve@example.com",
    "ada@example.com\r\nBcc: eve@example.com",
    "ada@example.com>\r\nRCPT TO:<eve@example.com",
    "Ada ada@example.com <eve@example.com>",
    "ada: eve@example.com;",
  ])("reads no other recipient out of the address %j", async (to) => {
    const { url, received } = await startMailServer();
    await createSmtp({ smtpUrl: url, from: FROM })({ ...LETTER, to }).catch(() => {});
    expect(received).toEqual([]);
  });

  it.each([
    [550, true],
    [451, false],
  ])("treats the reply %i as permanent: %s", async (code, forGood) => {
    const { url } = await startMailServer({ refuse: () => code });
    const error = await createSmtp({ smtpUrl: url, from: FROM })(LETTER).catch((caught) => caught);
    expect([error instanceof Error, error instanceof Undeliverable]).toEqual([true, forGood]);
    // A refused recipient is not a fault of the mail server, and must not raise an alert.
    expect(error instanceof RecipientRefused).toBe(forGood);
  });

  it("aborts when the server talks on without accepting the letter", async () => {
    const server = createServer();
    const left = once(server, "connection").then(async ([socket]: Socket[]) => {
      if (!socket) return;
      socket.write("220 here\r\n");
      const talking = setInterval(() => socket.write("250-more\r\n"), 20);
      await new Promise((resolve) =>
        socket
          .on("close", resolve)
          .on("error", () => {})
          .resume(),
      );
      clearInterval(talking);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const smtpUrl = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const error = await createSmtp({ smtpUrl, from: FROM }, 200)(LETTER).catch((caught) => caught);
    expect(error).toMatchObject({ code: "EABORT" });
    expect(error).not.toBeInstanceOf(Undeliverable);
    await left;
  });

  it("sends nothing without TLS to a server other than this machine", async () => {
    // 127.0.0.1 as an IPv4-mapped address.
    const { url, received } = await startMailServer();
    const elsewhere = url.replace("127.0.0.1", "[::ffff:127.0.0.1]");
    await expect(createSmtp({ smtpUrl: elsewhere, from: FROM })(LETTER)).rejects.toThrow();
    expect(received).toEqual([]);
  });
});

describe("mail settings", () => {
  it.each([
    "mail.example.com",
    "https://mail.example.com",
    "smtp://",
    "",
    "smtps://user:50%off@mail.example.com",
    "smtps://user:%ff@mail.example.com",
    // Read as the server "user" at the port 12.
    "smtps://user:12#4@mail.example.com",
    "smtps://user:12/4@mail.example.com",
    "smtps://user:12?4@mail.example.com",
  ])("refuse %j as a server", (smtpUrl) => {
    expect(() => checkMail({ smtpUrl, from: FROM })).toThrow(
      "mail.smtpUrl or TOOL_SMTP_URL takes the URL of a mail server",
    );
  });

  it.each(["", "Toolplane", "a@b\r\nBcc: c@d", "Name <>"])("refuse %j as the sender", (from) => {
    const check = () => checkMail({ smtpUrl: "smtps://mail.example.com", from });
    expect(check).toThrow(
      "TOOL_SMTP_URL needs TOOL_MAIL_FROM, or mail.smtpUrl mail.from: who the mail comes from",
    );
    expect(check).toThrow(from === "" ? /sign-in@example.com>\.$/ : `"${from}" has no such address`);
  });

  it.each(["smtps://u%40v:50%25%23@mail.example.com/", "smtp://[::1]:1025"])("accept %j", (smtpUrl) => {
    expect(() => checkMail({ smtpUrl, from: FROM })).not.toThrow();
  });

  it.each(["sign-in@example.com", "Tool plane <sign-in@example.com>"])("accept %j as the sender", (from) => {
    expect(() => checkMail({ smtpUrl: "smtps://u:p@mail.example.com:465", from })).not.toThrow();
  });
});
