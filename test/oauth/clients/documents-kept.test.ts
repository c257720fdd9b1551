import { describe, expect, it } from "vitest";
import type { FetchedDocument } from "../../../src/system/network/fetch-public.ts";
import { CannotFetch } from "../../../src/system/network/fetch-public.ts";
import { oauthError, startServices } from "../../accounts/fixture.ts";
import { begin, consenting } from "../redirect.ts";

const ID = "https://app.example/oauth/client.json";
const REDIRECT = "https://app.example/callback";
const OWN = { client_id: ID, client_name: "The app", redirect_uris: [REDIRECT] };
const asked = { client_id: ID, redirect_uri: REDIRECT };

/** Starts services that find a document at every address. The next answer can be changed. */
async function withDocuments(first: unknown) {
  const lies = { next: first, cacheControl: undefined as FetchedDocument["cacheControl"] };
  let fetched = 0;
  const services = await startServices({
    fetch: async () => {
      fetched++;
      const { next, cacheControl } = lies;
      if (next instanceof Error) throw next;
      return { text: typeof next === "string" ? next : JSON.stringify(next), cacheControl };
    },
  });
  return { services, lies, fetches: () => fetched };
}

describe("an unusable client metadata document", () => {
  it.each([
    ["<html>", "it is not JSON"],
    [{ ...OWN, client_id: `${ID}x` }, "its client_id is not the URL that it lies at"],
    [null, "its client_id is not the URL that it lies at"],
    [
      { ...OWN, redirect_uris: ["http://app.example/x"] },
      "its redirect_uris.0: must be https, or http on 127.0.0.1, [::1] or localhost",
    ],
    [{ ...OWN, client_name: " " }, "its client_name: must have something to see"],
    [
      { ...OWN, token_endpoint_auth_method: "client_secret_basic" },
      "its token_endpoint_auth_method must be none, or private_key_jwt with the public keys in jwks or at jwks_uri: nothing secret can stand in a document",
    ],
    [new CannotFetch("its host answers 404"), "its host answers 404"],
  ])("is refused with the reason: %j", async (document, why) => {
    const { services } = await withDocuments(document);
    await expect(begin(services, asked)).rejects.toMatchObject({
      error: "invalid_client",
      description: `The client metadata document ${ID} cannot be used: ${why}.`,
    });
  });

  it.each([
    ["it is not there", new CannotFetch("its host answers 404")],
    ["it says something else", { ...OWN, client_id: "https://app.example/other" }],
  ])("is fetched again after ten seconds if %s", async (_, document) => {
    const { services, lies, fetches } = await withDocuments(document);
    await expect(begin(services, asked)).rejects.toMatchObject(oauthError("invalid_client"));
    lies.next = OWN;
    // Setting the clock back does not prolong the wait.
    services.clock.jump(-24 * 60 * 60_000);
    services.clock.advance(9999);
    await expect(begin(services, asked)).rejects.toMatchObject(oauthError("invalid_client"));
    expect(fetches()).toBe(1);
    services.clock.advance(1);
    await expect(begin(services, asked)).resolves.toHaveProperty("requestUri");
    expect(fetches()).toBe(2);
  });

  it("is fetched again at once after a fault of this server", async () => {
    const { services, lies } = await withDocuments(new Error("a fault"));
    await expect(begin(services, asked)).rejects.toThrow("a fault");
    lies.next = OWN;
    await expect(begin(services, asked)).resolves.toHaveProperty("requestUri");
  });
});

describe("a client metadata document", () => {
  it.each([
    ["no-cache", 60],
    ["private, NO-STORE", 60],
    ["MAX-AGE=600", 600],
    ['max-age="600"', 600],
    ["max-age=61", 61],
    ["max-age=86399", 86_399],
    ["max-age=", 300],
    ["max-age=soon", 300],
    ["public", 300],
  ])("with Cache-Control %s is cached for %i s", async (cacheControl, seconds) => {
    const { services, lies, fetches } = await withDocuments(OWN);
    lies.cacheControl = cacheControl;
    await begin(services, asked);
    services.clock.advance(seconds * 1000 - 1);
    await begin(services, asked);
    expect(fetches()).toBe(1);
    services.clock.advance(1);
    await begin(services, asked);
    expect(fetches()).toBe(2);
  });

  it("that is cached can be used any number of times", async () => {
    const { services, fetches } = await withDocuments(OWN);
    for (let time = 0; time < 25; time++) await begin(services, asked);
    expect(fetches()).toBe(1);
  });

  it("may have a URL of 512 characters, and names its client by the host if it has no name", async () => {
    const id = "https://app.example/".padEnd(512, "a");
    const { services } = await withDocuments({ client_id: id, redirect_uris: [REDIRECT] });
    const begun = await begin(services, { client_id: id, redirect_uri: REDIRECT });
    const uri = "requestUri" in begun ? begun.requestUri : "";
    const { client } = await services.authorizations.describe(uri, id, consenting(services.owner));
    expect(client.name).toBe("app.example");
    await expect(begin(services, { client_id: `${id}a`, redirect_uri: REDIRECT })).rejects.toMatchObject(
      oauthError("invalid_client"),
    );
  });

  it("is refused with Retry-After beyond 20 new ones a minute", async () => {
    const { services } = await withDocuments(new CannotFetch("it is not there"));
    const ask = (index: number) =>
      begin(services, { client_id: `https://app.example/${index}`, redirect_uri: REDIRECT });
    for (let index = 0; index < 20; index++)
      await expect(ask(index)).rejects.toMatchObject(oauthError("invalid_client"));
    await expect(ask(20)).rejects.toMatchObject({
      ...{ error: "slow_down", status: 429 },
      description: "Too many client metadata documents were asked for. Try again in a minute.",
      extras: { headers: { "Retry-After": "60" } },
    });
    services.clock.advance(60_000);
    await expect(ask(21)).rejects.toMatchObject(oauthError("invalid_client"));
  });
});
