import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createAuditExport } from "../../../src/audit/export.ts";
import type { AuditLog } from "../../../src/audit/log.ts";
import { Problem } from "../../../src/contract/problem.ts";
import { type Answer, send } from "../../../src/server/pipeline/answer.ts";
import type { Exchange } from "../../../src/server/pipeline/exchange.ts";
import { dot } from "../../../src/tools/knowledge-graph/formats/dot.ts";
import { inLines } from "../../../src/tools/knowledge-graph/formats/line-format.ts";

const refusal = new Problem("overloaded", "Too much at once.");

// biome-ignore lint/correctness/useYield: it fails before it gives anything
async function* failing(): AsyncGenerator<never> {
  throw refusal;
}

const busyLog = { page: () => Promise.reject(refusal) } as unknown as AuditLog;

it.each<[string, Required<Answer>["body"]]>([
  ["any body", failing()],
  ["a drawn graph", inLines(dot, { entities: failing, relationships: failing })],
  ["a CSV file", createAuditExport(busyLog)("acc_a", "all", {}, "text/csv")],
])("a streamed answer that fails before its first part is a refusal instead: %s", async (_, body) => {
  const server = createServer((req, res) => {
    const exchange = { req, res, requestId: "req_1" } as Exchange;
    Promise.resolve(send(exchange, { status: 200, headers: {}, body })).catch((error: Problem) =>
      send(exchange, { status: error.status, headers: {}, body: error.message }),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect([answer.status, await answer.text()]).toEqual([503, "Too much at once."]);
});
