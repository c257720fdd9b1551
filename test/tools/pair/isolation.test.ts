import { describe, expect, it } from "vitest";
import { FILE, openPair, openStream, ROOT } from "./pair.ts";

describe("a session", () => {
  it("is hidden from other accounts like an unknown session", async () => {
    const { app, start, show } = await openPair();
    const id = await start({ [FILE]: "secret" });
    const { token } = await app.account("team");
    const edits = [{ from: 0, to: 0, insert: "x" }];
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["GET", "/events", undefined],
      ["POST", "/change", { author: "alice", path: FILE, baseRevision: 0, edits }],
      ["POST", "/handoff", {}],
      ["POST", "/end", {}],
    ] as const) {
      const ask = (session: string) =>
        app.request(method, `${ROOT}/${session}${path}`, { key: token, ...(body && { body }) });
      const [theirs, nobodys] = [await ask(id), await ask("pair_nobody")];
      expect([path, theirs.status, nobodys.status]).toEqual([path, 404, 404]);
      expect(theirs.body.detail.replace(id, "pair_nobody")).toBe(nobodys.body.detail);
    }
    expect((await show(id)).session).toMatchObject({ state: "active", sequence: 0 });
  });

  it("is hidden from other projects of its account", async () => {
    const { start, send } = await openPair();
    const id = await start();
    const other = { headers: { "X-Project-Id": "other" } };
    expect((await send("GET", `/${id}`, other)).status).toBe(404);
    expect((await send("POST", `/${id}/end`, other)).status).toBe(404);
  });

  it("may be read and followed, but not changed, with the scope read", async () => {
    const { app, start, send, changed } = await openPair();
    const id = await start();
    const key = await app.key(["read"]);
    expect((await send("GET", `/${id}`, { key })).status).toBe(200);
    const stream = await openStream(app, id, { key });
    expect([stream.status, (await stream.next())?.event]).toEqual([200, "session"]);
    const { change } = await changed(id, { edits: [{ from: 0, to: 0, insert: "x" }] });
    expect((await stream.next())?.data).toEqual(change);
    stream.close();
    for (const path of ["", `/${id}/change`, `/${id}/handoff`, `/${id}/end`]) {
      const refused = await send("POST", path, { key, body: {} });
      expect([path, refused.status, refused.body.error]).toEqual([path, 403, "insufficient_scope"]);
    }
  });
});
