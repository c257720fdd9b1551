import { describe, expect, it } from "vitest";
import { createLog } from "../../../src/system/log.ts";
import { startApp } from "../../support/app.ts";
import { startServe } from "../../support/serve.ts";
import { startOtlpReceiver } from "../../support/services/otlp-receiver.ts";
import { temporaryDirectory } from "../../support/store.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

interface Span {
  name: string;
  traceId: string;
  parentSpanId?: string;
  kind: number;
  status: { code: number };
  attributes: Attribute[];
}

// biome-ignore lint/suspicious/noExplicitAny: an OTLP document
function spansIn(document: any): Span[] {
  // biome-ignore lint/suspicious/noExplicitAny: an OTLP document
  return document.resourceSpans.flatMap((each: any) => each.scopeSpans.flatMap((scope: any) => scope.spans));
}

function plain(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}

describe("the server's own telemetry", () => {
  it("has a span and a measurement for each request, in the trace of its traceparent", async () => {
    const receiver = await startOtlpReceiver();
    const app = await startApp({ telemetryEndpoint: receiver.url });
    await app.request("GET", "/api/v1/tools/knowledge-graph/impact/web?depth=3", {
      headers: { traceparent: PARENT },
    });
    await app.request("GET", "/nowhere", { headers: { traceparent: "00-nonsense" } });
    await app.close();
    const document = JSON.parse((await receiver.until("/v1/traces", "impact")).toString());
    const spans = spansIn(document);
    const impact = spans.find(({ name }) => name.includes("impact"));
    expect(impact).toMatchObject({
      name: "GET /api/v1/tools/knowledge-graph/impact/{entityId}",
      traceId: TRACE,
      parentSpanId: "b7ad6b7169203331",
      kind: 2,
    });
    expect(plain(impact?.attributes ?? [])).toMatchObject({
      "http.request.method": "GET",
      "http.route": "/api/v1/tools/knowledge-graph/impact/{entityId}",
      "http.response.status_code": 404,
      "url.path": "/api/v1/tools/knowledge-graph/impact/web",
      "url.scheme": "http",
    });
    expect(JSON.stringify(document)).not.toContain("depth=3");
    const stranger = spans.find(({ name }) => name === "GET");
    expect(stranger?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(stranger?.parentSpanId ?? "").toBe("");
    const measured = (await receiver.until("/v1/metrics", "http.server.request.duration")).toString();
    expect(JSON.parse(measured).resourceMetrics[0].scopeMetrics[0].metrics[0]).toMatchObject({
      name: "http.server.request.duration",
      unit: "s",
    });
  });

  it("does not delay requests or closing if the endpoint is unreachable, and logs that", async () => {
    const lines: string[] = [];
    const log = createLog("warn", { write: (line) => void lines.push(line) });
    const app = await startApp({ telemetryEndpoint: "http://127.0.0.1:9", log });
    expect((await app.request("GET", "/api/v1/account")).status).toBe(200);
    await app.close();
    expect(lines.join("")).toContain("OpenTelemetry");
  });

  it("is sent by a real server before it exits if the environment asks for it", async () => {
    const receiver = await startOtlpReceiver();
    const server = await startServe(["--data", temporaryDirectory()], {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_SERVICE_NAME: "our plane",
    });
    await fetch(`${server.url}/health`, { headers: { traceparent: PARENT } });
    expect(await server.end("SIGTERM")).toBe(0);
    await receiver.until("/v1/traces", "GET /health", "our plane", TRACE);
    await receiver.until("/v1/metrics", "http.server.request.duration", "our plane");
  });

  it("is off with OTEL_SDK_DISABLED", async () => {
    const receiver = await startOtlpReceiver();
    const server = await startServe(["--data", temporaryDirectory()], {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_SDK_DISABLED: "true",
    });
    await fetch(`${server.url}/health`);
    expect(await server.end("SIGTERM")).toBe(0);
    expect(receiver.received("/v1/traces")).toEqual([]);
  });
});
