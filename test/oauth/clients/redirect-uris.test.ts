import { describe, expect, it } from "vitest";
import {
  destinationOf,
  faultOfRedirectUri,
  isRedirectUriOf,
} from "../../../src/oauth/clients/redirect-uris.ts";

describe("redirect URIs", () => {
  it.each([
    "https://app.example/callback",
    "https://app.example/callback?x=1&y",
    "https://app.example:8443",
    "HTTPS://app.example",
    "http://127.0.0.1",
    "http://127.0.0.1:65535/callback",
    "http://[::1]:4000/",
    "http://localhost/callback",
    "com.example.app:/callback",
    "com.example.app://callback",
    "myfile:/x",
    "filex:/x",
    `https://app.example/${"a".repeat(1024 - "https://app.example/".length)}`,
  ])("accept %s", (uri) => {
    expect(faultOfRedirectUri(uri)).toBeUndefined();
  });

  it.each([
    [
      `https://app.example/${"a".repeat(1025 - "https://app.example/".length)}`,
      "is longer than 1024 characters",
    ],
    ["app.example", "must be a URL without a fragment"],
    ["https://app.example/#", "must be a URL without a fragment"],
    ["https://app.example/ x", "must be a URL without a fragment"],
    ["https://app.example/\tx", "must be a URL without a fragment"],
    ["https://app.example/\u007f", "must be a URL without a fragment"],
    ["https://app.example/\u0000", "must be a URL without a fragment"],
    ["https://app.example\\x", "must be a URL without a fragment"],
    ["https:/app.example", "must have // before its host"],
    ["https:///app.example", "must have // before its host"],
    ["http:app.example", "must have // before its host"],
    ["https://user@app.example", "must hold no user name or password"],
    ["https://:secret@app.example", "must hold no user name or password"],
    ["http://app.example", "must be https, or http on 127.0.0.1, [::1] or localhost"],
    ["http://127.0.0.2/x", "must be https, or http on 127.0.0.1, [::1] or localhost"],
    ["http://localhost.example/x", "must be https, or http on 127.0.0.1, [::1] or localhost"],
    ["http://x.localhost/x", "must be https, or http on 127.0.0.1, [::1] or localhost"],
    ...["about", "blob", "chrome", "data", "file", "filesystem", "ftp", "ftps", "javascript", "mailto"].map(
      (scheme) => [`${scheme}:x`, `must not have the scheme ${scheme}:`],
    ),
    ...["resource", "sms", "tel", "vbscript", "view-source"].map((scheme) => [
      `${scheme}:x`,
      `must not have the scheme ${scheme}:`,
    ]),
    ...["ws", "wss"].map((scheme) => [`${scheme}://x`, `must not have the scheme ${scheme}:`]),
  ])("refuse %j: %s", (uri, fault) => {
    expect(faultOfRedirectUri(uri as string)).toBe(fault);
  });

  it("match a request exactly, except for the port on loopback", () => {
    const named = [
      "https://app.example:8443/callback",
      "http://127.0.0.1/a?b",
      "http://[::1]:4000/a",
      "http://localhost/",
      "http://[::1]",
      "app:/callback",
    ];
    const isOne = (uri: string) => isRedirectUriOf(named, uri);
    for (const uri of [
      ...named,
      "http://127.0.0.1:80/a?b",
      "http://127.0.0.1:4000/a?b",
      "http://[::1]/a",
      "http://[::1]:1/a",
      "http://[::1]:4000",
      "http://localhost:9999/",
    ]) {
      expect(isOne(uri), uri).toBe(true);
    }
    for (const uri of [
      "https://app.example/callback",
      "https://app.example:8444/callback",
      "http://127.0.0.1:4000/a",
      "http://127.0.0.1:4000/a?c",
      "http://127.0.0.1:/a?b",
      "http://127.0.0.1:04000000/a?b",
      "http://localhost:4000/a",
      "http://[::1]:4000/a#x",
      "http://127.0.0.1.example/a?b",
      "http://127.0.0.1:4000@evil.example/a?b",
      "app:/callback2",
      "",
    ]) {
      expect(isOne(uri), uri).toBe(false);
    }
  });

  it("are classified as a site, this computer or an application", () => {
    expect(destinationOf("https://app.example:8443/x")).toEqual({ kind: "site", name: "app.example:8443" });
    expect(destinationOf("http://127.0.0.1:4000/x")).toEqual({ kind: "computer", name: "127.0.0.1:4000" });
    expect(destinationOf("http://localhost/x")).toEqual({ kind: "computer", name: "localhost" });
    expect(destinationOf("com.example.app:/x")).toEqual({ kind: "application", name: "com.example.app" });
  });
});
