import { describe, expect, it } from "vitest";
import { fakeClock } from "../../support/clock.ts";
import { openPair, openStream, ROOT, type TestPair } from "./pair.ts";

const edits = [{ from: 0, to: 0, insert: "x\r\n" }];

/** Records `count` changes, one after the other. */
async function changeOften({ changed }: TestPair, id: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await changed(id, { edits });
}

describe("GET /pair/session/{sessionId}/events", () => {
  it("sends the session first, then every change, with ids to resume from", async () => {
    const pair = await openPair();
    const id = await pair.start();
    await changeOften(pair, id, 2);
    const stream = await openStream(pair.app, id);
    expect([stream.status, stream.headers["content-type"]]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    expect(stream.headers["cache-control"]).toBe("no-store");
    const first = await stream.next();
    expect([first?.id, first?.event, first?.data.state]).toEqual(["2", "session", "active"]);
    const { change } = await pair.changed(id, { edits, message: "third", baseRevision: 2 });
    expect(await stream.next()).toEqual({ id: "3", event: "change", data: change });
  });

  it("resumes after Last-Event-ID, or after the sequence in the query", async () => {
    const pair = await openPair();
    const id = await pair.start();
    await changeOften(pair, id, 130);
    const begun = await openStream(pair.app, id, { query: "since=0" });
    expect((await begun.next())?.id).toBe("0");
    for (let sequence = 1; sequence <= 60; sequence++)
      expect((await begun.next())?.id).toBe(String(sequence));
    begun.close();
    // The header, which a reconnecting client sends, wins over the query of the original address.
    const resumed = await openStream(pair.app, id, { query: "since=0", headers: { "Last-Event-ID": "60" } });
    await pair.changed(id, { edits });
    await pair.send("POST", `/${id}/end`);
    const all = await resumed.rest();
    expect(all.filter(({ event }) => event === "change").map(({ data }) => data.sequence)).toEqual(
      Array.from({ length: 71 }, (_, index) => 61 + index),
    );
  });

  it("sends role changes, and ends with the session", async () => {
    const pair = await openPair();
    const id = await pair.start();
    const stream = await openStream(pair.app, id);
    await stream.next();
    await pair.send("POST", `/${id}/handoff`);
    const handed = await stream.next();
    expect([handed?.event, handed?.data.participants[1]]).toEqual(["session", { id: "bob", role: "driver" }]);
    await pair.changed(id, { edits });
    await pair.send("POST", `/${id}/end`);
    const rest = await stream.rest();
    expect(rest.map(({ event, id }) => [event, id])).toEqual([
      ["change", "1"],
      ["session", "1"],
    ]);
    expect(rest.at(-1)?.data.state).toBe("ended");
    const behind = await openStream(pair.app, id, { headers: { "Last-Event-ID": "0" } });
    expect((await behind.rest()).map(({ event }) => event)).toEqual(["session", "change"]);
    const done = await openStream(pair.app, id, { headers: { "Last-Event-ID": "1" } });
    expect(done.status).toBe(204);
  });

  it.each([
    [{ "Last-Event-ID": "x" }, 400],
    [{ "Last-Event-ID": "-1" }, 400],
    [{ "Last-Event-ID": "1" }, 422],
    [{ "Last-Event-ID": "" }, 200],
  ])("answers %j with %i", async (headers, status) => {
    const pair = await openPair();
    const stream = await openStream(pair.app, await pair.start(), {
      headers: headers as Record<string, string>,
    });
    expect(stream.status).toBe(status);
    stream.close();
  });

  it("keeps a quiet connection alive", async () => {
    const clock = fakeClock();
    const pair = await openPair({ clock });
    const id = await pair.start();
    const stream = await openStream(pair.app, id);
    await stream.next();
    const last = stream.next();
    for (let seconds = 0; seconds < 40; seconds++) {
      clock.advance(1000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await pair.send("POST", `/${id}/end`);
    expect((await last)?.event).toBe("session");
    expect(stream.comments()).toBe(2);
  });

  it("ends when the credential is revoked, without the changes after that", async () => {
    const pair = await openPair();
    const id = await pair.start();
    const made = await pair.app.request("POST", "/api/v1/keys", { body: { name: "a", scopes: ["read"] } });
    const stream = await openStream(pair.app, id, { key: made.body.secret });
    await stream.next();
    await pair.app.request("DELETE", `/api/v1/keys/${made.body.key.id}`);
    await pair.changed(id, { edits });
    expect(await stream.rest()).toEqual([]);
  });

  it("ends when the credential is revoked even if nothing happens in the session", async () => {
    const pair = await openPair();
    const id = await pair.start();
    const made = await pair.app.request("POST", "/api/v1/keys", { body: { name: "a", scopes: ["read"] } });
    const stream = await openStream(pair.app, id, { key: made.body.secret });
    await stream.next();
    await pair.app.request("DELETE", `/api/v1/keys/${made.body.key.id}`);
    expect(await stream.rest()).toEqual([]);
  });

  it("ends when the server stops", async () => {
    const pair = await openPair();
    const id = await pair.start();
    const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(pair.app, id)));
    await Promise.all(streams.map((stream) => stream.next()));
    const [ends] = await Promise.all([Promise.all(streams.map((stream) => stream.rest())), pair.app.close()]);
    expect(ends).toEqual([[], [], [], [], []]);
  });

  it("limits open streams per credential by plan, and accepts another once one is closed", async () => {
    const pair = await openPair();
    const id = await pair.start();
    const streams = await Promise.all(Array.from({ length: 256 }, () => openStream(pair.app, id)));
    expect(streams.every(({ status }) => status === 200)).toBe(true);
    const refused = await openStream(pair.app, id);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "10"]);
    const { token } = await pair.app.account("team");
    const theirs = await pair.app.request("POST", ROOT, {
      key: token,
      body: { participants: [{ id: "a", role: "driver" }] },
    });
    const other = await openStream(pair.app, theirs.body.session.id, { key: token });
    expect(other.status).toBe(200);
    streams[0]?.close();
    await expect.poll(async () => (await openStream(pair.app, id)).status).toBe(200);
    for (const stream of [...streams, other]) stream.close();
  });

  it("answers HEAD with the headers and keeps no stream open", async () => {
    const pair = await openPair();
    const id = await pair.start();
    for (let count = 0; count < 120; count++) {
      const { status, headers } = await pair.send("HEAD", `/${id}/events`);
      expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    }
  });

  it("leaves no timer behind, however the client disconnects", async () => {
    const clock = fakeClock();
    const timers = { open: 0 };
    const counted = {
      ...clock,
      every: (ms: number, work: () => void) => {
        timers.open++;
        const stop = clock.every(ms, work);
        return () => {
          timers.open--;
          return stop();
        };
      },
      sleep: (ms: number, signal?: AbortSignal) => {
        timers.open++;
        return clock.sleep(ms, signal).finally(() => timers.open--);
      },
    };
    const pair = await openPair({ clock: counted });
    const id = await pair.start();
    await changeOften(pair, id, 3);
    const before = timers.open;
    const streams = await Promise.all(
      Array.from({ length: 20 }, (_, index) => openStream(pair.app, id, { query: `since=${index % 4}` })),
    );
    await Promise.all(streams.slice(0, 10).map((stream) => stream.next()));
    expect(timers.open).toBeGreaterThan(before);
    for (const stream of streams.slice(0, 15)) stream.close();
    await pair.send("POST", `/${id}/end`);
    await Promise.all(streams.slice(15).map((stream) => stream.rest()));
    await expect.poll(() => timers.open).toBe(before);
  });
});
