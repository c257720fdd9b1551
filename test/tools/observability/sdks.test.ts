import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { packageRoot } from "../../../src/system/package.ts";
import { OWNER_KEY } from "../../support/app.ts";
import { startOtlpReceiver } from "../../support/services/otlp-receiver.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { startReporting } from "./reporting.ts";

/** Runs a program in a shell that has evaluated the project's configuration into its environment. */
async function runConfigured(url: string, project: string, program: string): Promise<string> {
  const script = `eval "$("$NODE" "$TOOL" observability config --format env)" && exec "$NODE" --input-type=module -e "$PROGRAM"`;
  const { stdout } = await promisify(execFile)("sh", ["-eu", "-c", script], {
    cwd: packageRoot,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: temporaryDirectory(),
      NODE: process.execPath,
      TOOL: join(packageRoot, "bin/tool.js"),
      PROGRAM: program,
      TOOL_BASE_URL: url,
      TOOL_TOKEN: OWNER_KEY,
      TOOL_PROJECT: project,
    },
  });
  return stdout;
}

/** A project name with characters that are special to a shell. */
const PROJECT = `it's $(touch /tmp/pwned) "x" \`id\` \\ a=b, läden`;

it("a stock OpenTelemetry SDK exports to the endpoint from tool observability config --format env", async () => {
  const receiver = await startOtlpReceiver();
  const app = await startReporting({ otlpEndpoint: receiver.url });
  const program = `
    import { NodeSDK } from "@opentelemetry/sdk-node";
    import { trace } from "@opentelemetry/api";
    const sdk = new NodeSDK();
    sdk.start();
    trace.getTracer("shop").startSpan("checkout of a basket").end();
    await sdk.shutdown();
    console.log(process.env.OTEL_SERVICE_NAME);
  `;
  expect(await runConfigured(app.url, PROJECT, program)).toBe(`${PROJECT}\n`);
  const spans = await receiver.until("/v1/traces", "checkout of a basket", PROJECT, "toolplane.account.id");
  expect(spans.includes("toolplane.project.id")).toBe(true);
  expect(receiver.received("/v1/traces")[0]?.contentType).toBe("application/x-protobuf");
});

it("a stock Sentry SDK reports an error with the DSN, and observability/errors shows it", async () => {
  const app = await startReporting();
  const program = `
    import * as Sentry from "@sentry/node";
    Sentry.init({ release: "1.2.3" });
    function priceOf(item) { return item.price.amount; }
    try { priceOf({}); } catch (error) { Sentry.captureException(error); }
    Sentry.captureMessage("stock is low");
    console.log(await Sentry.flush(5000));
  `;
  expect(await runConfigured(app.url, "shop", program)).toBe("true\n");
  const errors = await app.errors("", { headers: { "X-Project-Id": "shop" } });
  expect(errors.map(({ type }) => type).sort()).toEqual(["Message", "TypeError"]);
  expect(errors.find(({ type }) => type === "TypeError")).toMatchObject({
    message: "Cannot read properties of undefined (reading 'amount')",
    count: 1,
    source: "client",
    stack: expect.stringMatching(/^TypeError: .*\n {4}at priceOf /),
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});
