import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { CannotFetch, createFetchPublic } from "../../../src/system/network/fetch-public.ts";
import { isPublicAddress } from "../../../src/system/network/public-address.ts";
import { oauthError, startServices } from "../../accounts/fixture.ts";
import { begin, consenting, requestOf } from "../redirect.ts";

const ID = "https://app.example/oauth/client.json";
const REDIRECT = "https://app.example/callback";
const OWN = { client_id: ID, client_name: "The app", redirect_uris: [REDIRECT, "http://127.0.0.1/callback"] };
const asked = { client_id: ID, redirect_uri: REDIRECT };

/** Starts services that find one document at every address, and record the fetches. */
async function withDocument(document: unknown, cacheControl?: string) {
  const fetched: string[] = [];
  const services = await startServices({
    fetch: async (url) => {
      fetched.push(url.href);
      if (document instanceof Error) throw document;
      return { text: typeof document === "string" ? document : JSON.stringify(document), cacheControl };
    },
  });
  return { services, fetched };
}

describe("a client metadata document", () => {
  it("defines its client's redirect URIs, vouched for by its site", async () => {
    const { services } = await withDocument(OWN);
    const begun = await begin(services, asked);
    const uri = "requestUri" in begun ? begun.requestUri : "";
    const { client } = await services.authorizations.describe(uri, ID, consenting(services.owner));
    expect(client).toEqual({ id: ID, name: "The app", vouchedBy: "site" });
    const loopback = { client_id: ID, redirect_uri: "http://127.0.0.1:5555/callback" };
    await expect(begin(services, loopback)).resolves.toHaveProperty("requestUri");
    await expect(
      begin(services, { ...asked, redirect_uri: "https://app.example/other" }),
    ).rejects.toMatchObject(oauthError("invalid_request"));
  });

  it("may name as many redirect URIs as an editor has releases, hosts and schemes", async () => {
    const redirect_uris = Array.from({ length: 40 }, (_, each) => `editor-${each}://auth/callback`);
    const { services } = await withDocument({ ...OWN, redirect_uris });
    const last = { client_id: ID, redirect_uri: redirect_uris.at(-1) as string };
    await expect(begin(services, last)).resolves.toHaveProperty("requestUri");
  });

  it.each([
    ["says another client_id", { ...OWN, client_id: "https://app.example/oauth/other.json" }],
    ["says its client_id another way", { ...OWN, client_id: "https://APP.example/oauth/client.json" }],
    ["says no client_id", { redirect_uris: [REDIRECT] }],
    ["is no JSON", "<html>"],
    ["is null", null],
    ["is an array", [OWN]],
    ["has no redirect URI", { ...OWN, redirect_uris: [] }],
    ["has a redirect URI that runs a script", { ...OWN, redirect_uris: [REDIRECT, "javascript:alert(1)"] }],
    ["has a redirect URI over plain http", { ...OWN, redirect_uris: ["http://app.example/callback"] }],
    ["would keep a secret", { ...OWN, token_endpoint_auth_method: "client_secret_post", client_secret: "s" }],
    ["would sign with keys that it does not have", { ...OWN, token_endpoint_auth_method: "private_key_jwt" }],
    [
      "has its keys nowhere",
      { ...OWN, token_endpoint_auth_method: "private_key_jwt", jwks_uri: "keys.json" },
    ],
    ["has itself for its keys", { ...OWN, token_endpoint_auth_method: "private_key_jwt", jwks_uri: ID }],
    [
      "would prove who it is as nobody here can check, keys or not",
      { ...OWN, token_endpoint_auth_method: "tls_client_auth", jwks: { keys: [] } },
    ],
    ["cannot be fetched", new CannotFetch("its host answers 404")],
  ])("that %s is refused with the reason", async (_, document) => {
    const { services } = await withDocument(document);
    const refusal = await begin(services, asked).catch((error) => error);
    expect(refusal).toMatchObject(oauthError("invalid_client"));
    expect(refusal.description).toMatch(
      /^The client metadata document https:\/\/app.example\/oauth\/client.json cannot be used: /,
    );
  });

  it.each([
    "https://app.example",
    "https://app.example/",
    "https://app.example/a#b",
    "https://app.example/a?b",
    "https://user:pass@app.example/a",
    "https://app.example/a/../b",
    "https://APP.example/a",
    "https://app.example:443/a",
    "http://app.example/a",
    "ftp://app.example/a",
    `https://app.example/${"a".repeat(512)}`,
  ])("is not fetched from the invalid URL %s", async (client_id) => {
    const { services, fetched } = await withDocument(OWN);
    await expect(begin(services, { ...asked, client_id })).rejects.toMatchObject(
      oauthError("invalid_client"),
    );
    expect(fetched).toEqual([]);
  });

  it.each([
    [undefined, 300],
    ["max-age=3600", 3600],
    ["no-store", 60],
    ["max-age=0", 60],
    ["public, max-age=999999999", 86_400],
  ])("with Cache-Control %s is cached for %i s", async (cacheControl, seconds) => {
    const { services, fetched } = await withDocument(OWN, cacheControl);
    await begin(services, asked);
    services.clock.advance(seconds * 1000 - 1);
    await begin(services, asked);
    expect(fetched).toHaveLength(1);
    services.clock.advance(1);
    await begin(services, asked);
    expect(fetched).toHaveLength(2);
  });

  it("is fetched once for concurrent requests, and 20 times a minute at most for one address", async () => {
    const { services, fetched } = await withDocument(OWN, "no-store");
    await Promise.all(Array.from({ length: 30 }, () => begin(services, asked)));
    expect(fetched).toHaveLength(1);
    const ask = (index: number) =>
      begin(services, { client_id: `https://app.example/${index}`, redirect_uri: REDIRECT }).catch(
        ({ error }) => error,
      );
    const outcomes = [];
    for (let index = 0; index < 30; index++) outcomes.push(await ask(index));
    expect(fetched).toHaveLength(20);
    expect(outcomes.filter((error) => error === "slow_down")).toHaveLength(11);
    const { authorizations } = services;
    await expect(
      authorizations.begin(requestOf({ client_id: "https://app.example/x" }), "address/198.51.100.1"),
    ).rejects.toMatchObject(oauthError("invalid_client"));
  });

  it("is not delayed for one address by slow fetches of another", async () => {
    let end = () => {};
    const slow = new Promise<never>((_, reject) => {
      end = () => reject(new CannotFetch("it did not arrive"));
    });
    const services = await startServices({
      fetch: async (url) => (url.href === ID ? { text: JSON.stringify(OWN), cacheControl: undefined } : slow),
    });
    const ask = (client_id: string, subject: string) =>
      services.authorizations.begin(requestOf({ ...asked, client_id }), subject);
    const theirs = [1, 2, 3].map((index) => ask(`https://slow.example/${index}`, "address/192.0.2.66"));
    theirs.push(ask(ID, "address/192.0.2.66"));
    const settled = Promise.allSettled(theirs);
    await expect(ask(ID, "address/198.51.100.1")).resolves.toHaveProperty("requestUri");
    end();
    const statuses = (await settled).map(({ status }) => status);
    expect(statuses).toEqual(["rejected", "rejected", "rejected", "fulfilled"]);
  });
});

describe("isPublicAddress()", () => {
  it.each([
    ...[
      "10.0.0.1",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "127.0.0.1",
      "127.1.2.3",
      "0.0.0.0",
      "169.254.169.254",
    ],
    ...["100.64.0.1", "192.0.0.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1"],
    ...[
      "::",
      "::1",
      "fe80::1",
      "fc00::1",
      "fd12::1",
      "ff02::1",
      "2001:db8::1",
      "64:ff9b::7f00:1",
      "64:ff9b:1::1",
    ],
    ...[
      "::ffff:127.0.0.1",
      "::ffff:8.8.8.8",
      "::ffff:7f00:1",
      "::127.0.0.1",
      "2002:7f00:1::",
      "2001::1",
      "100::1",
    ],
    ...["fe80::1%eth0", "localhost", "", "1.2.3", "0x7f.1"],
  ])("returns false for %s", (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "192.169.0.1", "2606:4700::1111", "2a00:1450::1"])(
    "returns true for %s",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it("returns false for IPv6 addresses that embed an IPv4 address", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false);
      }),
    );
  });
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a server on this machine and returns its address. */
async function serve(answer: Answer): Promise<URL> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`);
}

const json: Answer = (_, response) => response.setHeader("Content-Type", "application/json").end("{}");
const options = { timeoutMs: 5000, maxBytes: 64 * 1024, userAgent: "test" };
const open = createFetchPublic({ ...options, allowPrivate: true });

/** Creates a resolver that answers with these addresses and records the lookups. */
function names(...addresses: string[]) {
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return addresses;
  };
  return { resolve, asked };
}

describe("createFetchPublic()", () => {
  it.each(["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fd00::1", "100.64.0.1"])(
    "refuses a host name that resolves to %s",
    async (address) => {
      let connected = 0;
      const url = await serve((_, response) => {
        connected++;
        response.end();
      });
      const { resolve } = names(address);
      const fetch = createFetchPublic({ ...options, resolve });
      const named = new URL(`https://rebinding.example:${url.port}/client.json`);
      await expect(fetch(named)).rejects.toThrow("its host has no public address");
      expect(connected).toBe(0);
    },
  );

  it("refuses a host name if any of its addresses is private", async () => {
    const { resolve } = names("8.8.8.8", "127.0.0.1");
    const fetch = createFetchPublic({ ...options, resolve });
    await expect(fetch(new URL("https://mixed.example/client.json"))).rejects.toThrow("no public address");
  });

  it.each([
    "https://127.0.0.1/x",
    "https://[::1]/x",
    "https://[::ffff:7f00:1]/x",
    "https://2130706433/x",
    "https://0x7f.1/x",
  ])("refuses the private address in the URL %s", async (url) => {
    await expect(createFetchPublic(options)(new URL(url))).rejects.toThrow("no public address");
  });

  it("resolves a name once and connects to the address found", async () => {
    const url = await serve(json);
    const { resolve, asked } = names("127.0.0.1");
    const fetch = createFetchPublic({ ...options, allowPrivate: true, resolve });
    await fetch(new URL(`http://once.example:${url.port}/client.json`));
    expect(asked).toEqual(["once.example"]);
  });

  it("reports an unresolvable host and a DNS failure in the same words", async () => {
    for (const resolve of [async () => [], async () => Promise.reject(new Error("SERVFAIL"))]) {
      const fetch = createFetchPublic({ ...options, resolve });
      await expect(fetch(new URL("https://nowhere.example/x"))).rejects.toThrow(/^its host cannot be found$/);
    }
    await expect(createFetchPublic(options)(new URL("https://nowhere.invalid/x"))).rejects.toThrow(
      /^its host cannot be found$/,
    );
  });

  it("times out if name servers do not answer", async () => {
    const resolve = () => new Promise<string[]>(() => {});
    const fetch = createFetchPublic({ ...options, timeoutMs: 100, resolve });
    await expect(fetch(new URL("https://silent.example/x"))).rejects.toThrow("did not arrive within 0.1 s");
  });

  it("refuses plain http unless private addresses are allowed", async () => {
    await expect(createFetchPublic(options)(new URL("http://app.example/x"))).rejects.toThrow("https");
  });

  it("sends only the necessary headers, and returns the text and its Cache-Control", async () => {
    let headers: IncomingMessage["headers"] = {};
    const url = await serve((request, response) => {
      headers = request.headers;
      response.setHeader("Content-Type", "application/json; charset=utf-8");
      response.setHeader("Cache-Control", "max-age=5").end('{"a":1}');
    });
    expect(await open(url)).toEqual({ text: '{"a":1}', cacheControl: "max-age=5" });
    expect(Object.keys(headers).sort()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
  });

  it.each<[string, Answer, string]>([
    [
      "a redirect to a private address",
      (_, r) => r.writeHead(302, { Location: "http://127.0.0.1/" }).end(),
      "redirect",
    ],
    ["a redirect to itself", (_, r) => r.writeHead(307, { Location: "/client.json" }).end(), "redirect"],
    ["an error", (_, r) => r.writeHead(404).end(), "404"],
    ["a page", (_, r) => r.setHeader("Content-Type", "text/html").end("{}"), "application/json"],
    ["too much", (_, r) => r.setHeader("Content-Type", "application/json").end("x".repeat(65_537)), "64 KiB"],
    [
      "too much without an end",
      (_, r) => {
        r.setHeader("Content-Type", "application/json");
        const more = () => r.write("x".repeat(10_000), () => r.destroyed || more());
        more();
      },
      "64 KiB",
    ],
    [
      "something compressed",
      (_, r) => r.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" }).end("x"),
      "compressed",
    ],
    ["an end in the middle", (_, r) => r.destroy() as never, "web server"],
  ])("refuses %s", async (_, answer, why) => {
    const url = await serve(answer);
    await expect(open(url)).rejects.toThrow(why);
    await expect(open(url)).rejects.toBeInstanceOf(CannotFetch);
  });

  it.each<[string, Answer]>([
    ["nothing", () => {}],
    ["no end", (_, response) => void response.setHeader("Content-Type", "application/json").write("{")],
  ])("times out if a server sends %s", async (_, answer) => {
    const fetch = createFetchPublic({ ...options, allowPrivate: true, timeoutMs: 200 });
    await expect(fetch(await serve(answer))).rejects.toThrow("it did not arrive within 0.2 s");
  });
});
