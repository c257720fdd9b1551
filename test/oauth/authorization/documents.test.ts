import { describe, expect, it } from "vitest";
import { createMetadataDocuments } from "../../../src/oauth/clients/metadata-documents.ts";
import { CannotFetch } from "../../../src/system/network/fetch-public.ts";
import { oauthError, startServices } from "../../accounts/fixture.ts";
import { begin } from "../redirect.ts";

const ID = "https://app.example/oauth/client.json";
const SITE = "https://app.example/callback";
const HERE = "http://127.0.0.1/callback";
const DOCUMENT = JSON.stringify({ client_id: ID, redirect_uris: [SITE, HERE] });

async function fetching(answer: () => { text: string }) {
  const fetched: string[] = [];
  const services = await startServices({
    fetch: async (url) => {
      fetched.push(url.href);
      return { ...answer(), cacheControl: undefined };
    },
  });
  return { services, fetched };
}

describe("an invalid authorization request", () => {
  it.each([
    ["a client of the operator's", "acme-ide", "https://acme.example/callback", true],
    ["a program on this computer", ID, HERE, true],
    ["a site that vouches for itself", ID, SITE, false],
  ])(
    "of %s redirects with or without consent, depending on the client",
    async (_, client_id, redirect_uri, mayRedirectWithoutConsent) => {
      const { services } = await fetching(() => ({ text: DOCUMENT }));
      const refused = await begin(services, { client_id, redirect_uri, response_type: "token" });
      expect(refused).toMatchObject({
        mayRedirectWithoutConsent,
        redirect: expect.stringContaining(redirect_uri),
      });
    },
  );
});

describe("a client metadata document", () => {
  it("has a URL of 512 characters at most", () => {
    const documents = createMetadataDocuments({
      store: {} as never,
      clock: {} as never,
      fetch: () => Promise.reject(new Error("nothing is fetched")),
      allowPrivate: false,
    });
    const address = (length: number) => `https://app.example/${"a".repeat(length - 20)}`;
    expect(documents.isDocumentId(address(512))).toBe(true);
    expect(documents.isDocumentId(address(513))).toBe(false);
  });

  it.each<[string, () => { text: string }]>([
    [
      "could not be fetched",
      () => {
        throw new CannotFetch("its host answers 404");
      },
    ],
    ["cannot be used", () => ({ text: "<html>" })],
  ])("that %s is fetched again after ten seconds, not before", async (_, answer) => {
    const { services, fetched } = await fetching(answer);
    const refused = () =>
      expect(begin(services, { client_id: ID, redirect_uri: SITE })).rejects.toMatchObject(
        oauthError("invalid_client"),
      );
    await refused();
    services.clock.advance(9_999);
    await refused();
    expect(fetched).toHaveLength(1);
    services.clock.advance(1);
    await refused();
    expect(fetched).toHaveLength(2);
  });
});
