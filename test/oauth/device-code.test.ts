import { describe, expect, it } from "vitest";
import { createDeviceCodeEndpoint } from "../../src/oauth/device/device-code.ts";
import type { Parameters } from "../../src/oauth/parameters.ts";
import {
  approverFor,
  BASE_URL,
  DEVICE,
  oauthError,
  type Services,
  startServices,
} from "../accounts/fixture.ts";

const begin = ({ devices }: Services, parameters: Parameters) => devices.begin(parameters, DEVICE);

async function requestOf(services: Services, parameters: Parameters) {
  const { user_code } = await begin(services, parameters);
  return services.devices.describe(user_code, approverFor(services.owner));
}

describe("POST /auth/device/code", () => {
  it("answers as in RFC 8628 §3.2", async () => {
    const services = await startServices();
    const response = await begin(services, { client_id: "tool-cli" });
    expect(response).toEqual({
      device_code: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${BASE_URL}/device`,
      verification_uri_complete: `${BASE_URL}/device?user_code=${response.user_code}`,
      expires_in: 900,
      interval: 5,
    });
  });

  it("requests read and write if no scope is named", async () => {
    const services = await startServices();
    for (const parameters of [{ client_id: "a" }, { client_id: "a", scope: "" }] as Parameters[]) {
      const { scopes } = await requestOf(services, parameters);
      expect(scopes.map(({ scope }) => scope)).toEqual(["read", "write"]);
    }
  });

  it("requests each named scope once", async () => {
    const services = await startServices();
    const { scopes } = await requestOf(services, { client_id: "a", scope: "admin  read admin" });
    expect(scopes.map(({ scope }) => scope)).toEqual(["read", "admin"]);
  });

  it("ignores offline_access, which stock libraries add to get a refresh token", async () => {
    const services = await startServices();
    const { scopes } = await requestOf(services, { client_id: "a", scope: "offline_access read" });
    expect(scopes.map(({ scope }) => scope)).toEqual(["read"]);
  });

  it("says where to learn who somebody is, if it is asked for that", async () => {
    const services = await startServices();
    for (const scope of ["openid", "openid email read offline_access", "profile write"]) {
      const refused = await begin(services, { client_id: "a", scope }).catch((error) => error);
      expect(refused).toMatchObject(oauthError("invalid_scope"));
      expect(refused.message).toContain("GET /api/v1/account");
    }
  });

  it.each(["root", "read root", "READ", "read,write", "read\twrite", " "])(
    "refuses the scope %j",
    async (scope) => {
      const services = await startServices();
      await expect(begin(services, { client_id: "a", scope })).rejects.toMatchObject(
        oauthError("invalid_scope"),
      );
    },
  );

  it.each(["a b", "ü", "a/b", "x".repeat(65), "a\n", "a\0"])(
    "refuses the client id %j",
    async (client_id) => {
      const services = await startServices();
      await expect(begin(services, { client_id })).rejects.toMatchObject(oauthError("invalid_request"));
    },
  );

  it("refuses a request without a client id", async () => {
    const services = await startServices();
    for (const parameters of [{}, { client_id: "" }] as Parameters[]) {
      await expect(begin(services, parameters)).rejects.toMatchObject({
        ...oauthError("invalid_request"),
        status: 400,
        description: expect.stringContaining("client_id"),
      });
    }
  });

  it("ignores unknown parameters", async () => {
    const services = await startServices();
    await expect(begin(services, { client_id: "a", audience: "b", toString: "c" })).resolves.toBeDefined();
  });

  it("marks only clients of the catalogue as registered", async () => {
    const services = await startServices();
    const clientOf = async (id: string) => (await requestOf(services, { client_id: id })).client;
    expect(await clientOf("tool-cli")).toMatchObject({ registered: true });
    expect(await clientOf("acme-ide")).toEqual({ id: "acme-ide", name: "Acme IDE", registered: true });
    for (const id of ["other", "constructor", "__proto__", "toString", "x".repeat(64)]) {
      expect(await clientOf(id)).toEqual({ id, name: id, registered: false });
    }
  });

  it("retries with another user code if one is already in use", async () => {
    const services = await startServices();
    // The second user code gets the same bytes as the first, and other bytes on the next try.
    const chunks = [1, 2, 3, 2, 4].map((byte, index) =>
      Buffer.alloc(index === 0 || index === 2 ? 32 : 8, byte),
    );
    const random = { ...services.random, bytes: () => chunks.shift()! };
    const issue = createDeviceCodeEndpoint({
      ...services,
      random,
      resources: { target: () => undefined },
      verificationUrl: () => BASE_URL,
    });
    const first = await issue({ client_id: "a" }, DEVICE);
    const second = await issue({ client_id: "b" }, DEVICE);
    expect(first.user_code).toBe("DDDD-DDDD");
    expect(second.user_code).toBe("GGGG-GGGG");
    const { client } = await services.devices.describe(first.user_code, approverFor(services.owner));
    expect(client.id).toBe("a");
  });

  it("truncates the user agent to 256 characters", async () => {
    const { devices, owner } = await startServices();
    const { user_code } = await devices.begin(
      { client_id: "a" },
      { ...DEVICE, userAgent: "x".repeat(10_000) },
    );
    const { userAgent } = await devices.describe(user_code, approverFor(owner));
    expect(userAgent).toHaveLength(256);
  });
});
