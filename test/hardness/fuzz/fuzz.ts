import fc from "fast-check";
import { type Dispatcher, Pool } from "undici";
import { complaintsAbout } from "./complaints.ts";
import { type FuzzRequest, type OpenApi, requestsOf, WHO, type Who, withoutReferences } from "./requests.ts";

export interface FuzzReport {
  requests: number;
  byStatus: Map<number, number>;
  /** The first fault of each kind, with its request. */
  complaints: Map<string, string>;
  /** All credentials that were used. */
  secrets: Set<string>;
}

export interface Fuzzer {
  /** Sends `count` requests, which `seed` determines. */
  run(count: number, seed: number): Promise<void>;
  report: FuzzReport;
  close(): Promise<void>;
}

/** Requests before the credentials are replaced, since requests revoke those that they find. */
const CHUNK = 2_000;
const MAX_KNOWN = 500;

type Credentials = Record<Who, string>;

/** @param connections number of kept-alive connections that are used at once. */
export async function createFuzzer(url: string, ownerKey: string, connections = 8): Promise<Fuzzer> {
  const pool = new Pool(url, { connections, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 30_000 });
  const report: FuzzReport = {
    requests: 0,
    byStatus: new Map(),
    complaints: new Map(),
    secrets: new Set([ownerKey]),
  };
  const owner = { authorization: `Bearer ${ownerKey}`, "content-type": "application/json" };
  const requests = requestsOf(withoutReferences((await ask("GET", "/openapi.json")) as OpenApi));
  const { account } = (await ask("GET", "/api/v1/account")) as { account: { id: string } };
  /** Ids that requests may name. */
  const known: string[] = ["default"];
  /** Ids that they may not: the owner's account, so that its limits stay, and the device whose tokens they have. */
  const spared = new Set([account.id]);
  const begun = (await ask("POST", "/auth/device/code", { client_id: "fuzz" })) as Record<string, string>;
  await ask("POST", `/api/v1/device-authorizations/${begun.user_code}`, { decision: "approve" });
  let grant: Record<string, string | undefined> = { device_code: begun.device_code };

  async function ask(method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<unknown> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await pool.request({ path, method, headers: owner, ...sent });
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${await answer.body.text()}`);
    return answer.body.json();
  }

  async function newCredentials(): Promise<Credentials> {
    const key = async (scopes: string[], more = {}) => {
      const made = await ask("POST", "/api/v1/keys", { name: "fuzz", scopes, ...more });
      return (made as { secret: string }).secret;
    };
    const made = {
      owner: ownerKey,
      admin: await key(["admin"]),
      write: await key(["write"]),
      read: await key(["read"]),
      // A project of its own each time, since requests delete those that they find.
      bound: await key(["write"], { projectId: `bound-${report.requests}` }),
      token: await newAccessToken(),
    };
    for (const secret of Object.values(made)) report.secrets.add(secret);
    return made;
  }

  /** Gets an access token by refreshing. Approval is locked for an hour, since requests try wrong user codes. */
  async function newAccessToken(): Promise<string> {
    const answer = await ask("POST", "/auth/device/token", grant);
    const { access_token, refresh_token } = answer as { access_token: string; refresh_token: string };
    grant = { grant_type: "refresh_token", refresh_token, client_id: "fuzz" };
    report.secrets.add(refresh_token);
    const { items } = (await ask("GET", "/api/v1/devices?query=fuzz")) as { items: { id: string }[] };
    for (const { id } of items) spared.add(id);
    return access_token;
  }

  async function send(request: FuzzRequest, credentials: Credentials): Promise<void> {
    const path = request.path.replace(/\{(\d+)\}/g, (_, index) =>
      encodeURIComponent(known[Number(index) % known.length] ?? ""),
    );
    const headers = [...request.headers, ...credentialHeaders(request.who, credentials)].flat();
    const { method, body } = request;
    try {
      const answer = await pool.request({
        path,
        method: method as Dispatcher.HttpMethod,
        headers,
        ...(body !== undefined && { body: Buffer.from(body) }),
      });
      const text = await answer.body.text();
      for (const complaint of complaintsAbout({
        status: answer.statusCode,
        headers: answer.headers,
        body: text,
      })) {
        complain(complaint, `${describe(request, path)} → ${answer.statusCode} ${text.slice(0, 300)}`);
      }
      report.byStatus.set(answer.statusCode, (report.byStatus.get(answer.statusCode) ?? 0) + 1);
      if (answer.statusCode < 300) learn(text);
    } catch (error) {
      complain(`no answer: ${(error as Error).message}`, describe(request, path));
    }
    report.requests++;
  }

  function complain(what: string, about: string): void {
    if (!report.complaints.has(what)) report.complaints.set(what, about);
  }

  function learn(text: string): void {
    for (const [, id] of text.matchAll(/"(?:id|userCode|user_code)":"([^"\\]{1,256})"/g)) {
      if (id === undefined || spared.has(id)) continue;
      if (known.length < MAX_KNOWN) known.push(id);
      else known[report.requests % MAX_KNOWN] = id;
    }
  }

  return {
    report,
    async run(count, seed) {
      for (let sent = 0; sent < count; sent += CHUNK) {
        const credentials = await newCredentials();
        const numRuns = Math.min(CHUNK, count - sent);
        const chunk = fc.sample(requests, { numRuns, seed: seed + sent });
        const next = chunk.values();
        const lane = async () => {
          for (const request of next) await send(request, credentials);
        };
        await Promise.all(Array.from({ length: connections }, lane));
      }
    },
    close: () => pool.close(),
  };
}

function credentialHeaders(who: FuzzRequest["who"], credentials: Credentials): [string, string][] {
  const good = credentials.write;
  const bearer = (secret: string): [string, string][] => [["authorization", `Bearer ${secret}`]];
  switch (who) {
    case "none":
      return [];
    case "typo":
      return bearer(`${good.slice(0, -1)}${good.endsWith("0") ? "1" : "0"}`);
    case "cut":
      return bearer(good.slice(0, 20));
    case "basic":
      return [["authorization", `Basic ${btoa(`owner:${good}`)}`]];
    case "both":
      return [...bearer(good), ["x-api-key", credentials.read]];
    case "empty":
      return bearer("");
    case "huge":
      return bearer("x".repeat(8_000));
    case "bytes":
      return [["x-api-key", "\xff\xfe\x80"]];
    default:
      return WHO.indexOf(who) % 2 ? [["x-api-key", credentials[who]]] : bearer(credentials[who]);
  }
}

function describe({ method, headers, body, who }: FuzzRequest, path: string): string {
  const sent = body === undefined ? "" : ` ${JSON.stringify(body.slice(0, 300))} (${body.length})`;
  return `${method} ${path.slice(0, 300)} as ${who} ${JSON.stringify(headers).slice(0, 300)}${sent}`;
}
