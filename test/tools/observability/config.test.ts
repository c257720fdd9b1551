import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Project, projects } from "../../../src/accounts/model.ts";
import { registryOf } from "../../../src/server/tools/registry.ts";
import { openStore } from "../../../src/store/open.ts";
import { accountSpace, GLOBAL } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createLog } from "../../../src/system/log.ts";
import { reporters } from "../../../src/tools/observability/documents.ts";
import { dsnOf } from "../../../src/tools/observability/reporters.ts";
import { OWNER_KEY, startApp } from "../../support/app.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { startReporting } from "./reporting.ts";

const CONFIG = "/api/v1/tools/observability/config";

describe("GET /api/v1/tools/observability/config", () => {
  it("returns the settings of OpenTelemetry's SDKs with the operator's endpoint", async () => {
    const app = await startApp({ otlpEndpoint: "http://collector.example:4318" });
    const project = Buffer.from("läden, a=b").toString("latin1");
    const { status, body } = await app.request("GET", CONFIG, { headers: { "X-Project-Id": project } });
    expect(status).toBe(200);
    const account = body.openTelemetry.resourceAttributes["toolplane.account.id"];
    expect(account).toMatch(/^acc_/);
    expect(body.openTelemetry).toEqual({
      enabled: true,
      endpoint: "http://collector.example:4318",
      protocol: "http/protobuf",
      serviceName: "läden, a=b",
      resourceAttributes: { "toolplane.account.id": account, "toolplane.project.id": "läden, a=b" },
      sampler: "parentbased_always_on",
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
        OTEL_SERVICE_NAME: "läden, a=b",
        OTEL_RESOURCE_ATTRIBUTES: `toolplane.account.id=${account},toolplane.project.id=l%C3%A4den%2C%20a%3Db`,
        OTEL_TRACES_SAMPLER: "parentbased_always_on",
      },
    });
  });

  it("names gRPC as the protocol if the endpoint has port 4317", async () => {
    const app = await startApp({ otlpEndpoint: "http://collector.example:4317" });
    const { openTelemetry } = (await app.request("GET", CONFIG)).body;
    expect(openTelemetry.protocol).toBe("grpc");
    expect(openTelemetry.environment.OTEL_EXPORTER_OTLP_PROTOCOL).toBe("grpc");
  });

  it("disables OpenTelemetry, but not error tracking, if the operator set no endpoint", async () => {
    const app = await startApp();
    const { openTelemetry, errorTracking } = (await app.request("GET", CONFIG)).body;
    expect(openTelemetry).toMatchObject({ enabled: false, endpoint: null, environment: {} });
    expect(errorTracking).toEqual({
      ...{ enabled: true, environment: "production", release: null, sampleRate: 1 },
      dsn: expect.stringMatching(/^http:/),
    });
  });

  it("fails the start of the server if the operator's endpoint is not an http URL", async () => {
    await expect(startApp({ otlpEndpoint: "collector:4318" })).rejects.toThrow(
      "--otlp-endpoint takes the URL",
    );
    await expect(startApp({ telemetryEndpoint: "nowhere" })).rejects.toThrow("OTEL_EXPORTER_OTLP_ENDPOINT");
  });

  it("returns one DSN per project, the same for each call and each reader", async () => {
    const app = await startReporting();
    const reader = await app.key(["read"]);
    const [one, again, other] = await Promise.all([
      app.placeOf(),
      app.placeOf({ key: reader }),
      app.placeOf({ headers: { "X-Project-Id": "other" } }),
    ]);
    expect(one.dsn).toBe(`${app.url.replace("http://", `http://${one.key}@`)}/${one.number}`);
    expect(one.key).toMatch(/^[0-9a-f]{32}$/);
    expect(one.number).toMatch(/^\d{1,15}$/);
    expect(again).toEqual(one);
    expect(other.number).not.toBe(one.number);
    expect(other.key).not.toBe(one.key);
  });

  it("stores the number of the DSN, but not its key", async () => {
    const dataDirectory = temporaryDirectory();
    const app = await startReporting({ dataDirectory });
    const { key, number } = await app.placeOf();
    await app.close();
    const stored = readdirSync(dataDirectory)
      .map((file) => readFileSync(join(dataDirectory, file), "utf8"))
      .join("");
    expect(stored).toContain(number);
    expect(stored).not.toContain(key);
  });

  it("puts the base URL with its path into the DSN", () => {
    const key = { number: "5", key: "abc" };
    expect(dsnOf(key, "https://tools.example/plane")).toBe("https://abc@tools.example/plane/5");
    expect(dsnOf(key, "http://[::1]:4242")).toBe("http://abc@[::1]:4242/5");
  });

  it("creates the project that X-Project-Id names", async () => {
    const app = await startReporting();
    await app.placeOf({ headers: { "X-Project-Id": "shop" } });
    const { items } = (await app.request("GET", "/api/v1/projects")).body;
    expect(items.map(({ id }: { id: string }) => id)).toContain("shop");
  });

  it("makes neither a project nor a DSN beyond the 10,000 projects of an account", async () => {
    const dataDirectory = temporaryDirectory();
    const opened = () =>
      openStore(dataDirectory, {
        collections: registryOf().collections,
        clock: systemClock,
        log: createLog("silent"),
      });
    const first = await startReporting({ dataDirectory });
    const known = await first.placeOf();
    const { id: accountId } = (await first.request("GET", "/api/v1/account")).body.account;
    await first.close();
    const filled = await opened();
    await filled.transact(async (tx) => {
      const [entry] = await tx.list(projects, accountSpace(accountId));
      const project = entry?.value as Project;
      for (let index = 1; index < 10_000; index++) {
        await tx.put(projects, accountSpace(accountId), `p${index}`, { ...project, id: `p${index}` });
      }
    });
    await filled.close();
    const full = await startReporting({ dataDirectory });
    const refused = await full.request("GET", CONFIG, { headers: { "X-Project-Id": "one-more" } });
    expect([refused.status, refused.body.error]).toEqual([409, "conflict"]);
    expect(refused.body.detail).toContain("10000 projects");
    expect((await full.placeOf()).number).toBe(known.number);
    await full.close();
    const left = await opened();
    const [ids, numbers] = await left.transact((tx) =>
      Promise.all([tx.ids(projects, accountSpace(accountId)), tx.ids(reporters, GLOBAL)]),
    );
    await left.close();
    expect([ids.length, ids.includes("one-more"), numbers]).toEqual([10_000, false, [known.number]]);
  });

  it("returns 401 without a key and 400 for an unknown query parameter", async () => {
    const app = await startApp();
    expect((await app.request("GET", CONFIG, { key: null })).status).toBe(401);
    expect((await app.request("GET", `${CONFIG}?format=env`, { key: OWNER_KEY })).status).toBe(400);
  });
});
