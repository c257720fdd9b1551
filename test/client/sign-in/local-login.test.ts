import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { inMemory } from "../../../src/cli/sign-in/in-memory-credential.ts";
import { createApiClient } from "../../../src/client/api-client.ts";
import { UnexpectedAnswer } from "../../../src/client/errors.ts";
import { localLogin } from "../../../src/client/sign-in/local-login.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createRandom } from "../../../src/system/random.ts";
import { startApp } from "../../support/app.ts";
import { temporaryDirectory } from "../../support/store.ts";

function signInAt(baseUrl: string, secret: string) {
  const api = createApiClient({
    baseUrl,
    credentials: inMemory(),
    clock: systemClock,
    random: createRandom(systemClock),
  });
  return localLogin({ api, clock: systemClock, clientId: "tool-cli", scope: "read write", secret });
}

/** Starts a foreign server on a port of this machine, which records requests and answers by `answer`. */
async function impostor(answer: (path: string, body: string) => Promise<{ status: number; body: string }>) {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (piece) => {
      body += piece;
    });
    request.on("end", async () => {
      heard.push(JSON.stringify([request.url, request.headers, body]));
      const given = await answer(request.url ?? "", body);
      response.writeHead(given.status, { "Content-Type": "application/json", "X-Request-Id": "req_1" });
      response.end(given.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

const CODE = {
  device_code: "d",
  user_code: "BCDF-GHJK",
  verification_uri: "http://127.0.0.1/device",
  expires_in: 900,
};

describe("localLogin()", () => {
  it("returns a credential with a refresh token", async () => {
    const app = await startApp();
    expect(await signInAt(app.url, app.localSecret ?? "")).toMatchObject({
      accessToken: expect.stringMatching(/^tat_/),
      refreshToken: expect.stringMatching(/^trt_/),
      scope: "read write",
    });
  });

  it("fails with access_denied for the secret of an earlier start", async () => {
    const dataDirectory = temporaryDirectory();
    const first = await startApp({ dataDirectory });
    const secret = first.localSecret ?? "";
    expect(await signInAt(first.url, secret)).toMatchObject({ scope: "read write" });
    await first.close();
    const again = await startApp({ dataDirectory });
    await expect(signInAt(again.url, secret)).rejects.toMatchObject({ error: "access_denied" });
    expect(await signInAt(again.url, again.localSecret ?? "")).toMatchObject({ scope: "read write" });
  });

  it("asks for a code only once if the server answers slow_down", async () => {
    const { url, heard } = await impostor(async () => ({
      status: 429,
      body: JSON.stringify({ error: "slow_down", error_description: "Too many." }),
    }));
    await expect(signInAt(url, "secret")).rejects.toMatchObject({ error: "slow_down" });
    expect(heard).toHaveLength(1);
  });

  it("never sends the secret, and refuses a server that cannot prove that it knows the secret", async () => {
    const { url, heard } = await impostor(async (path) => ({
      status: 200,
      body: JSON.stringify(
        path === "/auth/device/code" ? CODE : { proof: "made up", access_token: "tat_of_theirs" },
      ),
    }));
    await expect(signInAt(url, "the-secret")).rejects.toThrow(UnexpectedAnswer);
    expect(heard.length).toBe(2);
    expect(heard.join()).not.toContain("the-secret");
  });

  it("fails through a relaying proxy, since the proof names the proxy's address", async () => {
    const app = await startApp();
    const { url } = await impostor(async (path, body) => {
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const { status, text } = await app.request("POST", path, { key: null, raw: body, headers });
      return { status, body: text };
    });
    await expect(signInAt(url, app.localSecret ?? "")).rejects.toMatchObject({
      error: expect.stringMatching(/access_denied|invalid_request/),
    });
  });
});
