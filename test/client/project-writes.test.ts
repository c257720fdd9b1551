import { describe, expect, it, onTestFinished } from "vitest";
import { type ApiClient, createApiClient } from "../../src/client/api-client.ts";
import { seededRandom } from "../support/random.ts";
import { hurryingClock } from "./support/clock.ts";
import { storedCredential } from "./support/credentials.ts";
import { startServer } from "./support/server.ts";

async function clientOf(beforeProjectWrite: () => Promise<void>) {
  const server = await startServer(() => ({ body: {} }));
  onTestFinished(() => server.stop());
  const clock = hurryingClock();
  const client = createApiClient({
    baseUrl: server.baseUrl,
    credentials: storedCredential({ accessToken: "tak_key" }),
    clock,
    random: seededRandom(clock),
    beforeProjectWrite,
  });
  return { client, server };
}

const track = "POST /api/v1/track";
const use = { type: "api_calls" } as const;

describe("beforeProjectWrite", () => {
  it.each<[string, (client: ApiClient) => Promise<unknown>]>([
    ["what is tracked", (client) => client.call(track, use)],
    [
      "what a tool is given",
      (client) => client.call("POST /api/v1/tools/agent-memory/store", { content: "a" } as never),
    ],
    [
      "what a tool changes",
      (client) => client.call("PATCH /api/v1/tools/agent-memory/{memoryId}", { memoryId: "m" } as never),
    ],
  ])("is called once before a write to the project: %s", async (_, call) => {
    let asked = 0;
    const { client, server } = await clientOf(async () => {
      expect(server.seen).toEqual([]);
      asked++;
    });
    await call(client);
    expect([asked, server.seen.length]).toEqual([1, 1]);
  });

  it.each<[string, (client: ApiClient) => Promise<unknown>]>([
    ["what a tool only works out", (client) => client.call("POST /api/v1/tools/code-review", {} as never)],
    ["what a tool has", (client) => client.call("GET /api/v1/tools/models" as never, {} as never)],
    ["what a tool forgets", (client) => client.call("DELETE /api/v1/tools/models" as never, {} as never)],
    ["events", (client) => client.call("POST /api/v1/events/batch", {} as never)],
    ["what is the account's", (client) => client.call("POST /api/v1/keys", {} as never)],
    ["what goes to another project", (client) => client.call(track, use, { projectId: "p" })],
    ["what names no project", (client) => client.call(track, use, { projectId: null })],
  ])("is not called for %s", async (_, call) => {
    let asked = 0;
    const { client, server } = await clientOf(async () => {
      asked++;
    });
    await call(client);
    expect([asked, server.seen.length]).toEqual([0, 1]);
  });

  it("prevents the request if it rejects", async () => {
    const { client, server } = await clientOf(() => Promise.reject(new Error("not this project")));
    await expect(client.call(track, use)).rejects.toThrow("not this project");
    expect(server.seen).toEqual([]);
  });
});
