import { createRemoteJWKSet, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { openConnection } from "../../hardness/raw-connection.ts";
import { OWNER_KEY } from "../../support/app.ts";
import {
  calling,
  counted,
  events,
  json,
  LIST,
  post,
  startBefore,
  startUpstream,
  tools,
} from "../../support/services/upstream.ts";

const GATED = { tools: { "export_*": { gate: "audit_logs" } } };

it("a 401 names --base-url to clients that use another name of this machine, but not to foreign hosts", async () => {
  const app = await startBefore("http://127.0.0.1:9/mcp");
  const { port } = new URL(app.url);
  const told = async (host: string) => {
    const connection = await openConnection(app.url);
    connection.send(`POST /mcp/up HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`);
    const [answer] = await connection.answers(1);
    expect(answer?.status).toBe(401);
    return answer?.body;
  };
  expect(await told(`localhost:${port}`)).toContain(
    `To sign in, use ${app.url}, as this server calls itself, or start it with --base-url http://localhost:${port}.`,
  );
  for (const host of [`127.0.0.1:${port}`, "evil.example"]) {
    expect(await told(host)).not.toContain("--base-url");
  }
});

it("an address with a slash at its end, as other servers have, is corrected", async () => {
  const app = await startBefore("http://127.0.0.1:9/mcp");
  for (const path of ["/mcp", "/mcp/up"]) {
    const { status, body } = await app.request("POST", `${path}/`, { body: LIST });
    expect(status).toBe(404);
    expect(body.detail).toBe(`There is no ${path}/ here. Leave out the slash at its end: ${path}`);
  }
  const { body } = await app.request("POST", "/nothing/", { body: LIST });
  expect(body.detail).toBe("There is no /nothing/ here.");
});

describe("an upstream", () => {
  it("gets the message of an authenticated caller, and its answer is returned", async () => {
    const upstream = await startUpstream();
    const app = await startBefore(upstream.url);
    const listed = await post(app, LIST);
    expect(listed.body).toEqual({ jsonrpc: "2.0", id: 1, result: { tools: [{ name: "echo" }] } });
    const called = await post(app, calling("echo", { text: "Grüße" }));
    expect(called.body.result.content[0].text).toBe("echo");
    expect(upstream.received.at(-1)?.message.params.arguments).toEqual({ text: "Grüße" });
    expect((await post(app, { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
  });

  it("is not reached without a credential, and the 401 links to the resource metadata", async () => {
    const upstream = await startUpstream();
    const app = await startBefore(upstream.url);
    for (const key of [null, "tak_wrong"]) {
      const { status, headers } = await post(app, LIST, { key });
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toContain(
        `resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp/up"`,
      );
    }
    expect((await post(app, LIST, { headers: { Origin: "https://evil.example" } })).status).toBe(403);
    expect(upstream.received).toEqual([]);
    expect((await app.request("POST", "/mcp/other", { body: LIST })).status).toBe(404);
  });

  it("never sees a credential, a cookie or an address of the client", async () => {
    const upstream = await startUpstream();
    const app = await startBefore(upstream.url);
    await post(app, LIST, {
      headers: {
        Cookie: "toolplane=secret",
        "X-API-Key": OWNER_KEY,
        "Proxy-Authorization": "Basic c2VjcmV0",
        "X-Forwarded-For": "203.0.113.9",
        "X-Mcp-Identity": "forged",
        "Mcp-Param-Region": "us-west1",
      },
    });
    const { headers, text } = upstream.received[0]!;
    expect(JSON.stringify(headers) + text).not.toMatch(/owner-key|secret|203\.0|forged/);
    expect(headers["mcp-param-region"]).toBe("us-west1");
    expect(headers.authorization).toMatch(/^Bearer eyJ/);
  });

  it("gets an identity token that jose verifies, for its audience and for a minute", async () => {
    const upstream = await startUpstream();
    const app = await startBefore(upstream.url, { audience: "https://up.example/mcp" });
    const { accountId, token } = await app.account("pro");
    await post(app, calling("echo"), { key: token });
    const identity = upstream.received[0]!.headers.authorization!.slice("Bearer ".length);
    const keys = createRemoteJWKSet(new URL(`${app.url}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(identity, keys, {
      issuer: app.url,
      audience: "https://up.example/mcp",
      typ: "mcp-identity+jwt",
    });
    expect(protectedHeader.alg).toBe("EdDSA");
    expect(payload).toMatchObject({ account: accountId, plan: "pro", tool: "echo", project: "default" });
    expect(payload.features).toContain("skills.advanced");
    expect(payload.scope).toBe("read write admin");
    expect(payload.exp! - payload.iat!).toBe(60);
    await expect(jwtVerify(identity, keys, { issuer: app.url, audience: "https://other" })).rejects.toThrow();
    await post(app, calling("echo"), { key: token });
    const next = upstream.received[1]!.headers.authorization!.slice("Bearer ".length);
    expect((await jwtVerify(next, keys)).payload.jti).not.toBe(payload.jti);
  });

  it("gets the operator's headers from the environment, and the identity in a header of its own", async () => {
    process.env.GATEWAY_TEST_KEY = "the-operators";
    const upstream = await startUpstream();
    const headers = {
      Authorization: "env:GATEWAY_TEST_KEY",
      "X-Tenant": "ours",
      // Headers that are also passed on from clients.
      "Mcp-Param-Tenant": "ours",
      "User-Agent": "ours",
    };
    const app = await startBefore(upstream.url, { headers });
    const theirs = { "X-Tenant": "theirs", "Mcp-Param-Tenant": "theirs", "User-Agent": "theirs" };
    await post(app, LIST, { headers: theirs });
    const got = upstream.received[0]!.headers;
    expect([got.authorization, got["x-tenant"]]).toEqual(["the-operators", "ours"]);
    expect([got["mcp-param-tenant"], got["user-agent"]]).toEqual(["ours", "ours"]);
    expect(got["x-mcp-identity"]).toMatch(/^eyJ/);
    delete process.env.GATEWAY_TEST_KEY;
    await expect(startBefore(upstream.url, { headers })).rejects.toThrow(
      "GATEWAY_TEST_KEY, which is not set",
    );
    const mixed = { Authorization: "Bearer env:GATEWAY_TEST_KEY" };
    await expect(startBefore(upstream.url, { headers: mixed })).rejects.toThrow(
      'is "Bearer env:GATEWAY_TEST_KEY", which would be sent as it is: write "env:GATEWAY_TEST_KEY"',
    );
  });

  it("streams events as they come, progress before the result", async () => {
    let finish = () => {};
    const upstream = await startUpstream(({ message }, res) => {
      events(res, { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } });
      finish = () => {
        res.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { content: [] } })}\n\n`);
      };
    });
    const app = await startBefore(upstream.url);
    const response = await fetch(`${app.url}/mcp/up`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${OWNER_KEY}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(calling("echo")),
    });
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain("notifications/progress");
    expect(await counted(app)).toBe(0);
    finish();
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value;
    expect(rest).toContain('"result"');
    expect(await counted(app)).toBe(1);
  });

  it("sees the connection close when the client goes away, and the call counts", async () => {
    let gone = () => {};
    const isGone = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const upstream = await startUpstream((_, res) => {
      res.on("close", gone);
      events(res, { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } });
    });
    const app = await startBefore(upstream.url);
    const over = new AbortController();
    const response = await fetch(`${app.url}/mcp/up`, {
      method: "POST",
      headers: { Authorization: `Bearer ${OWNER_KEY}`, "Content-Type": "application/json" },
      body: JSON.stringify(calling("echo")),
      signal: over.signal,
    });
    await response.body!.getReader().read();
    over.abort();
    await isGone;
    await expect.poll(() => counted(app)).toBe(1);
  });
});

describe("items that a plan does not include", () => {
  it("are not listed in JSON or event streams, and refused with the plan that includes them", async () => {
    const listed = [{ name: "echo" }, { name: "export_csv" }];
    const upstream = await startUpstream(tools(listed));
    const app = await startBefore(upstream.url, GATED, {
      catalogue: { upgradeUrl: "https://up.example/plans" },
    });
    const { token } = await app.account("free");
    const names = async (key?: string) =>
      (await post(app, LIST, key === undefined ? {} : { key })).text.match(/"name":"(\w+)"/g);
    expect(await names(token)).toEqual(['"name":"echo"']);
    expect(await names()).toHaveLength(2);
    const { body } = await post(app, calling("export_csv"), { key: token });
    expect(body.result.isError).toBe(true);
    expect(body.result.content[0].text).toBe(
      'The plan Free does not include the tool "export_csv" of up. It comes with the plan Enterprise: https://up.example/plans',
    );
    expect(upstream.received.filter(({ message }) => message.method === "tools/call")).toEqual([]);
    expect(await counted(app, token)).toBe(0);
    upstream.become(({ message }, res) => {
      events(res, { jsonrpc: "2.0", id: message.id, result: { tools: listed, nextCursor: "x" } });
      res.end();
    });
    expect(await names(token)).toEqual(['"name":"echo"']);
    expect((await post(app, LIST, { key: token })).text).toContain('"nextCursor":"x"');
  });

  it("are refused for every method of prompts and resources", async () => {
    const upstream = await startUpstream(({ message }, res) =>
      json(res, { jsonrpc: "2.0", id: message.id, result: {} }),
    );
    const app = await startBefore(upstream.url, {
      prompts: { "secret_*": { gate: "audit_logs" } },
      resources: { "vault://*": { gate: "audit_logs" } },
    });
    const { token } = await app.account("free");
    const asked = [
      ["prompts/get", { name: "secret_plan" }],
      ["resources/read", { uri: "vault://a" }],
      ["resources/subscribe", { uri: "vault://a" }],
      ["completion/complete", { ref: { type: "ref/prompt", name: "secret_plan" } }],
      ["subscriptions/listen", { notifications: { resourceSubscriptions: ["vault://a"] } }],
    ] as const;
    for (const [method, params] of asked) {
      const message = { jsonrpc: "2.0", id: 1, method, params };
      expect((await post(app, message, { key: token })).body.error.data.requiredPlan, method).toBe(
        "enterprise",
      );
      expect((await post(app, message)).body.result, method).toEqual({});
    }
    expect(upstream.received).toHaveLength(asked.length);
  });

  it("are not listed in an answer that is resumed by another request", async () => {
    const listed = [{ name: "echo" }, { name: "export_csv" }];
    const upstream = await startUpstream(({ headers }, res) => {
      expect(headers["last-event-id"]).toBe("1");
      res.writeHead(200, { "Content-Type": "text/event-stream" });
      res.end(`id: 2\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: listed } })}\n\n`);
    });
    const app = await startBefore(upstream.url, GATED);
    const { token } = await app.account("free");
    const fetched = async (key?: string) => {
      const headers = { Accept: "text/event-stream", "Last-Event-ID": "1" };
      return (await app.request("GET", "/mcp/up", { headers, ...(key !== undefined && { key }) })).text;
    };
    expect(await fetched()).toContain("export_csv");
    const less = await fetched(token);
    expect(less).toContain("id: 2");
    expect(less).toContain('"echo"');
    expect(less).not.toContain("export_csv");
  });

  it("depend on the plan of the project", async () => {
    const upstream = await startUpstream(tools([{ name: "export_csv" }]));
    const app = await startBefore(upstream.url, GATED);
    const made = await app.request("PUT", "/api/v1/projects/small", { body: { plan: "free" } });
    expect(made.status, made.text).toBe(201);
    const { body } = await post(app, LIST, { headers: { "X-Project-Id": "small" } });
    expect(body.result.tools).toEqual([]);
  });
});
