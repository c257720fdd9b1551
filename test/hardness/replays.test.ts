import { describe, expect, it } from "vitest";
import { registryOf } from "../../src/server/tools/registry.ts";
import { openOutputFile } from "../../src/store/json-file/journal/output-file.ts";
import { openJsonFileStore } from "../../src/store/json-file/json-file-store.ts";
import { openStore } from "../../src/store/open.ts";
import type { OpenedStore } from "../../src/store/store.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";
import { imageOf } from "../store/json-file/directory.ts";
import { effectsIn, kinds, prepare } from "../support/keyed-requests.ts";
import { sendTo } from "../support/send.ts";
import { temporaryDirectory } from "../support/store.ts";
import { startOnStore } from "./app-on-store.ts";

const ports = { clock: systemClock, log: createLog("silent") };

/** Starts a server on a directory that can be copied after each group commit. */
async function startOn(directory: string) {
  let images: string[] | undefined;
  const store = await openJsonFileStore(directory, {
    ...ports,
    async openFile(path) {
      const file = await openOutputFile(path);
      return {
        ...file,
        async sync() {
          await file.sync();
          images?.push(imageOf(directory));
        },
      };
    },
  });
  const app = await startOnStore(store, { checkOutputs: true });
  return {
    send: (project: string) => sendTo(app.url, { "x-project-id": project }),
    /** Runs `work`, and returns copies of the directory as a kill at each point would have left it. */
    async imagesOf<T>(work: () => Promise<T>): Promise<{ images: string[]; result: T }> {
      images = [imageOf(directory)];
      const result = await work();
      const taken = images;
      images = undefined;
      return { images: taken, result };
    },
    store,
    async stop() {
      await app.close();
      await store.close();
    },
  };
}

/** Returns the shape of an answer, which two first answers have in common. */
function shapeOf(body: object): unknown {
  return Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.length : typeof value,
  ]);
}

async function effectsAt(directory: string, project: string): Promise<string[]> {
  const store: OpenedStore = await openStore(directory, { ...ports, collections: registryOf().collections });
  const effects = (await effectsIn(store))(project);
  await store.close();
  return effects;
}

describe.each(kinds)("a repeat of $name", ({ name, endpoint }) => {
  it("replays the first answer or runs first, after a crash at any point, and has one effect", async () => {
    const directory = temporaryDirectory();
    const server = await startOn(directory);
    const send = server.send("shop");
    const { path, body } = await prepare(endpoint, send, "shop", name);
    const key = { "idempotency-key": "once" };
    const { images, result: first } = await server.imagesOf(() => send(endpoint.method, path, body, key));
    expect(first.status, first.text).toBeLessThan(300);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const again = await send(endpoint.method, path, body, key);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([
      first.status,
      first.text,
      "true",
    ]);
    await server.stop();
    const once = await effectsAt(directory, "shop");
    // At least before the claim, after it, and after the effect.
    expect(images.length).toBeGreaterThanOrEqual(3);

    const outcomes = new Set<boolean>();
    for (const image of images) {
      const after = await startOn(image);
      const repeat = await after.send("shop")(endpoint.method, path, body, key);
      const isReplay = repeat.headers.get("idempotent-replayed") === "true";
      outcomes.add(isReplay);
      expect(repeat.status, repeat.text).toBe(first.status);
      expect(repeat.headers.get("content-type")).toBe(first.headers.get("content-type"));
      if (isReplay) expect(repeat.text).toBe(first.text);
      expect(shapeOf(repeat.body)).toEqual(shapeOf(first.body));
      const third = await after.send("shop")(endpoint.method, path, body, key);
      expect([third.text, third.headers.get("idempotent-replayed")]).toEqual([repeat.text, "true"]);
      if (name === "learning.benchmark") {
        const { body: insights } = await after.send("shop")(
          "GET",
          "/api/v1/tools/learning/insights?type=build_duration",
        );
        expect(insights.items[0].trend.measurements).toBe(1);
      }
      await after.stop();
      expect(await effectsAt(image, "shop")).toEqual(once);
    }
    expect(outcomes).toEqual(new Set([true, false]));
  });
});
