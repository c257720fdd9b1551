import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { auth, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { startApp } from "../support/app.ts";
import { noBrowser, openPage } from "../support/browser.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { startUpstream, tools } from "../support/services/upstream.ts";
import { OWNER } from "../web/support/pages.ts";

if (noBrowser) console.warn(`skipped: people allowing an application in a browser, since ${noBrowser}`);

/** Listens at the address that the browser is redirected back to. */
async function listenForAnswer() {
  let hear: (answer: URL) => void;
  const answer = new Promise<URL>((resolve) => {
    hear = resolve;
  });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", redirectUrl);
    if (url.searchParams.has("code")) hear(url);
    response.end("Done.");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  return { redirectUrl, answer };
}

/** Keeps the OAuth state of a program that uses the MCP SDK in memory. */
function inMemory(redirectUrl: string, client?: { client_id: string; issuer: string }) {
  const kept: Record<string, unknown> = { client };
  const keep = (name: string) => (value: unknown) => {
    kept[name] = value;
  };
  return {
    kept,
    provider: {
      redirectUrl,
      clientMetadata: { client_name: "Acceptance", redirect_uris: [redirectUrl] },
      clientInformation: () => kept.client,
      saveClientInformation: keep("client"),
      tokens: () => kept.tokens,
      saveTokens: keep("tokens"),
      redirectToAuthorization: keep("opened"),
      saveCodeVerifier: keep("verifier"),
      codeVerifier: () => kept.verifier as string,
      saveDiscoveryState: keep("discovery"),
      discoveryState: () => kept.discovery,
    } as never,
  };
}

const WAYS = [
  ["registration", "/mcp"],
  ["metadata document", "/mcp"],
  ["registration", "/mcp/up"],
  ["metadata document", "/mcp/up"],
] as const;

describe.skipIf(noBrowser)("an MCP client that knows only the server's address", () => {
  it.each(WAYS)(
    "lists the tools after a person allows it without JavaScript (client by %s, resource %s)",
    async (way, path) => {
      const owner = { email: OWNER.email, password: OWNER.password };
      const listed = Array.from({ length: 11 }, (_, index) => ({
        name: `tool-${index}`,
        inputSchema: { type: "object" },
      }));
      const upstream = await startUpstream(tools(listed));
      const app = await startApp({ owner, privateClients: true, upstreams: [`up=${upstream.url}`] });
      const { redirectUrl, answer } = await listenForAnswer();
      const document = createServer((_, response) => {
        response.setHeader("Content-Type", "application/json");
        response.end(JSON.stringify({ client_id, client_name: "Acceptance", redirect_uris: [redirectUrl] }));
      });
      await new Promise<void>((resolve) => document.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void document.close().closeAllConnections());
      const client_id = `http://127.0.0.1:${(document.address() as AddressInfo).port}/client.json`;
      const { kept, provider } = inMemory(
        redirectUrl,
        way === "registration" ? undefined : { client_id, issuer: app.url },
      );
      const serverUrl = app.url + path;
      expect(await auth(provider, { serverUrl })).toBe("REDIRECT");

      const page = await openPage({ javaScriptEnabled: false });
      const complaints: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      await page.goto(String(kept.opened));
      await page.fill("#email", OWNER.email);
      await page.fill("#password", OWNER.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("asks to sign in").waitFor();
      await page.getByRole("button", { name: "Allow" }).click();
      await page.getByText("Done.").waitFor();
      expect(complaints).toEqual([]);

      const { searchParams } = await answer;
      const authorizationCode = searchParams.get("code") as string;
      const iss = searchParams.get("iss") as string;
      expect(await auth(provider, { serverUrl, authorizationCode, iss })).toBe("AUTHORIZED");
      const client = new Client({ name: "acceptance", version: "1" });
      await client.connect(new StreamableHTTPClientTransport(new URL(serverUrl), { authProvider: provider }));
      expect((await client.listTools()).tools.length).toBeGreaterThan(10);
      await client.close();
    },
  );
});

describe("two servers on one PostgreSQL database", () => {
  it("answer 100 concurrent refreshes of one token with 100 access tokens of one sign-in", async () => {
    const databaseUrl = await createDatabase();
    const apps = [await startApp({ databaseUrl }), await startApp({ databaseUrl })] as const;
    const { devices, tokens } = apps[0].app.services;
    const asked = { client_id: "tool-cli" };
    const visitor = { address: "127.0.0.1", userAgent: "test", requestId: "req_test" };
    const begun = await devices.begin(asked, visitor);
    await apps[1].request("POST", `/api/v1/device-authorizations/${begun.user_code}`, {
      body: { decision: "approve" },
    });
    const pair = await tokens.token({ device_code: begun.device_code }, { ...visitor, url: "", subject: "" });
    const body = { ...asked, grant_type: "refresh_token", refresh_token: pair.refresh_token };
    const refresh = async (app: (typeof apps)[number]): ReturnType<typeof app.request> => {
      const answer = await app.request("POST", "/auth/token", { key: null, body });
      // Where the machine has no time for the database, some get no turn within five seconds and ask again.
      return answer.status === 503 ? refresh(app) : answer;
    };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => refresh(apps[index % 2] as (typeof apps)[number])),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect(new Set(answers.map((answer) => answer.body.access_token)).size).toBe(100);
    const { account } = (await apps[0].request("GET", "/api/v1/account")).body;
    for (const { app } of apps) expect(await app.services.signedInDevices.list(account.id)).toHaveLength(1);
  });
});
