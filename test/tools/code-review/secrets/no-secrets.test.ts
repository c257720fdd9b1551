import { describe, expect, it } from "vitest";
import { snippetOf } from "../../../../src/tools/code-review/snippet.ts";
import { findingsIn } from "../cases.ts";

const secretsIn = (path: string, line: string) =>
  findingsIn(path, line, { rules: { only: ["hardcoded-secret"] } });

describe("hardcoded-secret with values that are no secrets", () => {
  it.each([
    ["where two colons lead to a member", "a.rs", "        Token::RecursiveZeroOrMore => {"],
    ["where a flag has the name", "a.rs", "let flag = Password::NeverExpiresOnLogin99;"],
    ["where a module has the name", "a.rs", "use auth::middleware2::SessionKeeper47aB;"],
    ["where a class has the name", "a.php", "$a = Token::T_DOUBLE_ARROW_82xQ;"],
    ["where a namespace has the name", "a.cpp", "Key::Qw83hfKd92hsLpq81 value;"],
    ["where Laravel validates it", "a.php", "'password' => 'required|alpha_dash|string|max:255',"],
    ["where one rule validates it", "a.php", "'password' => 'max:255',"],
    ["where Laravel confirms it", "a.php", "'new_password' => 'nullable|min:8|confirmed',"],
    ["where CodeIgniter validates it", "a.php", "'password' => 'trim|required|min_length[8]',"],
    ["where it is the nonce of a handshake", "a.txt", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="],
    ["where code sends the nonce", "a.js", "h['sec-websocket-key'] = 'dGhlIHNhbXBsZSBub25jZQ==';"],
    ["where it names a lock", "a.js", "h['Lock-Token'] = 'urn:uuid:181d4fae-7d8c-11d0-a765-00a0c91e6bf2';"],
    [
      "where WebDAV names a lock",
      "a.go",
      'h.Set("Lock-Token", "opaquelocktoken:e71d4fae-5dec-22d6-fea5-00a0c91e6be4")',
    ],
  ])("passes over a value %s", (_, path, line) => {
    expect(secretsIn(path, line)).toEqual([]);
  });

  it.each([
    ["http://a%20b:c%20d@host/"],
    ["http://user:pass@proxy:8080"],
    ["https://user:pass@complex.url.com/path?query=yes"],
    ["http://user:pass%20pass@httpbin.org"],
    ["http://username:secret@example.com"],
    ["https://foo:bar@example.com"],
  ])("has severity info for a made-up address: %s", (address) => {
    expect(secretsIn("a.py", `url = "${address}"`)).toMatchObject([{ severity: "info" }]);
  });

  it.each(["hTTp://u:p@Some.Host/path", "https://a:b@example.com"])(
    "passes over an address with credentials of one letter: %s",
    (address) => {
      expect(secretsIn("a.py", `url = "${address}"`)).toEqual([]);
    },
  );

  it.each([
    ["a.py", 'url = "https://deploy:hunter2x9@ci.internal"'],
    ["a.py", 'url = "https://user:Zk83hfKd92hs@ci.internal"'],
    ["a.php", "'password' => 'Correct|horse|Battery9',"],
    ["a.php", "'password' => 'S3cret|max',"],
    ["a.txt", "Service-Key: dGhlIHNhbXBsZSBub25jZQ=="],
    ["a.rs", 'let token = "Zk83hfKd92hsLpq81xQw";'],
  ])("reports a real secret as an error: %s %s", (path, line) => {
    expect(secretsIn(path, line)).toMatchObject([{ severity: "error" }]);
  });
});

describe("a short secret", () => {
  it("is masked as a whole word, but not within other words", () => {
    expect(snippetOf('"hTTp://u:p@Some.Host/path"', 0, ["p"])).toBe('"hTTp://u:****@Some.Host/path"');
    expect(snippetOf("password, http://user:pass@host", 0, ["pass"])).toBe("password, http://user:****@host");
    expect(snippetOf("pin = '4711'; pin2 = '4711'; port = 14711", 0, ["4711"])).toBe(
      "pin = '****'; pin2 = '****'; port = 14711",
    );
  });

  it("is masked within a word if it never stands alone", () => {
    expect(snippetOf("x4711y", 0, ["4711"])).toBe("x****y");
  });
});
