import { describe, expect, it } from "vitest";
import { FILE, openPair } from "./pair.ts";

const PARTICIPANTS = [
  { id: "alice", role: "driver" },
  { id: "bob", role: "navigator" },
];

describe("POST /pair/session", () => {
  it("starts a session with its participants and files", async () => {
    const { send, show } = await openPair();
    const files = [
      { path: "src/a.ts", content: "let a;\r\n" },
      { path: "README", content: "" },
    ];
    const { status, body } = await send("POST", "", {
      body: { title: "Fix it", participants: PARTICIPANTS, files },
    });
    expect(status).toBe(201);
    expect(body.session).toMatchObject({
      title: "Fix it",
      state: "active",
      participants: PARTICIPANTS,
      sequence: 0,
      oldestSequence: 1,
    });
    expect(body.session.id).toMatch(/^pair_[0-9a-z]{26}$/);
    expect(body.files).toEqual([
      { path: "src/a.ts", revision: 0, length: 8 },
      { path: "README", revision: 0, length: 0 },
    ]);
    const shown = await show(body.session.id);
    expect(shown.session).toEqual(body.session);
    expect(shown.files.map(({ path, content }) => [path, content])).toEqual([
      ["README", ""],
      ["src/a.ts", "let a;\r\n"],
    ]);
    expect(shown.changes).toEqual([]);
  });

  it("keeps any file content unchanged", async () => {
    const { start, content } = await openPair();
    for (const odd of ["a\r\nb\rc\n", "\ufeffx", "\ud800 \udfff😀", "\u0000\u0001\u2028", "__proto__"]) {
      expect(await content(await start({ [FILE]: odd }))).toBe(odd);
    }
  });

  it.each([
    [{}, "participants"],
    [{ participants: [] }, "participants"],
    [{ participants: [{ id: "a", role: "navigator" }] }, "participants"],
    [{ participants: [{ id: "a", role: "boss" }] }, "participants.0.role"],
    [{ participants: [...PARTICIPANTS, { id: "bob", role: "driver" }] }, "participants.2"],
    [{ participants: PARTICIPANTS, files: [{ path: "a" }] }, "files.0.content"],
    [{ participants: PARTICIPANTS, files: [{ path: "", content: "" }] }, "files.0.path"],
    [{ participants: PARTICIPANTS, files: [{ path: "/etc/passwd", content: "" }] }, "files.0.path"],
    [{ participants: PARTICIPANTS, files: [{ path: "a/../../b", content: "" }] }, "files.0.path"],
    [{ participants: PARTICIPANTS, files: [{ path: "a\\b", content: "" }] }, "files.0.path"],
    [{ participants: PARTICIPANTS, files: [{ path: "C:b", content: "" }] }, "files.0.path"],
    [{ participants: PARTICIPANTS, files: [{ path: "a\nb", content: "" }] }, "files.0.path"],
    [
      {
        participants: PARTICIPANTS,
        files: [
          { path: "a", content: "1" },
          { path: "a", content: "2" },
        ],
      },
      "files.1.path",
    ],
    [{ participants: PARTICIPANTS, owner: "me" }, "owner"],
  ])("refuses %j, naming %s", async (body, path) => {
    const { send } = await openPair();
    const response = await send("POST", "", { body });
    expect([response.status, response.body.error]).toEqual([400, "invalid_request"]);
    expect(response.body.errors.map((fault: { path: string }) => fault.path)).toContain(path);
  });

  it("accepts four files of 1,048,576 units, or 1,000 files, but no more", async () => {
    const { send } = await openPair();
    const file = (index: number, length: number) => ({ path: `f${index}`, content: "x".repeat(length) });
    const start = (files: unknown[]) => send("POST", "", { body: { participants: PARTICIPANTS, files } });
    expect((await start([file(0, 1_048_577)])).body.errors[0].path).toBe("files.0.content");
    const most = Array.from({ length: 4 }, (_, index) => file(index, 1_048_576));
    const { body } = await start(most);
    const shown = await send("GET", `/${body.session.id}`);
    expect(shown.body.files.every(({ content }: { content: string }) => content.length === 1_048_576)).toBe(
      true,
    );
    const over = await start([...most, file(4, 1)]);
    expect([over.status, over.body.errors[0].path]).toEqual([400, "files"]);
    const many = Array.from({ length: 1001 }, (_, index) => file(index, 0));
    expect((await start(many)).body.errors[0].path).toBe("files");
    expect((await start(many.slice(1))).status).toBe(201);
  });

  it("starts one session for repeated requests with the same Idempotency-Key", async () => {
    const { send } = await openPair();
    const headers = { "Idempotency-Key": "one" };
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => send("POST", "", { body: { participants: PARTICIPANTS }, headers })),
    );
    expect(new Set(answers.map(({ body }) => body.session.id)).size).toBe(1);
  });
});

describe("GET /pair/session/{sessionId}", () => {
  it("shows all changes, those after a sequence, or those of one file", async () => {
    const { start, changed, show } = await openPair();
    const id = await start({ [FILE]: "", b: "" });
    for (const [index, path] of [FILE, "b", FILE, FILE].entries()) {
      await changed(id, { path, baseRevision: index, edits: [{ from: 0, to: 0, insert: `${index}` }] });
    }
    const sequences = async (query?: string) =>
      (await show(id, query)).changes.map(({ sequence }) => sequence);
    expect(await sequences()).toEqual([1, 2, 3, 4]);
    expect(await sequences("since=2")).toEqual([3, 4]);
    expect(await sequences("since=4")).toEqual([]);
    expect(await sequences(`path=${FILE}`)).toEqual([1, 3, 4]);
    const { files } = await show(id, "path=b");
    expect(files).toEqual([{ path: "b", revision: 2, length: 1, content: "1" }]);
  });

  it("refuses unknown sessions and files, and future and invalid sequences", async () => {
    const { start, send } = await openPair();
    const id = await start();
    for (const [path, status] of [
      ["/pair_none", 404],
      [`/${id}?path=none`, 404],
      [`/${id}?path=..%2Fnone`, 400],
      [`/${id}?since=1`, 422],
      [`/${id}?since=-1`, 400],
      [`/${id}?since=x`, 400],
    ] as const) {
      expect([path, (await send("GET", path)).status]).toEqual([path, status]);
    }
  });
});

describe("POST /pair/session/{sessionId}/handoff", () => {
  const roles = (body: { session: { participants: { id: string; role: string }[] } }) =>
    body.session.participants.map(({ id, role }) => `${id} ${role}`);

  it("swaps driver and navigator, and swaps back", async () => {
    const { start, send, changed } = await openPair();
    const id = await start();
    const handed = await send("POST", `/${id}/handoff`);
    expect([handed.status, roles(handed.body)]).toEqual([200, ["alice navigator", "bob driver"]]);
    const edits = [{ from: 0, to: 0, insert: "x" }];
    expect((await changed(id, { edits })).change.role).toBe("navigator");
    expect((await changed(id, { author: "bob", edits })).change.role).toBe("driver");
    const back = await send("POST", `/${id}/handoff`, { body: { from: "bob", to: "alice" } });
    expect(roles(back.body)).toEqual(["alice driver", "bob navigator"]);
  });

  it("refuses an ambiguous or wrong handoff, and names the member at fault", async () => {
    const { start, send } = await openPair();
    const id = await start({}, ["bob", "carol"]);
    for (const [body, path] of [
      [{}, "to"],
      [{ to: "alice" }, "to"],
      [{ to: "nobody" }, "to"],
      [{ from: "bob", to: "carol" }, "from"],
    ] as const) {
      const refused = await send("POST", `/${id}/handoff`, { body });
      expect([refused.status, refused.body.errors[0].path]).toEqual([422, path]);
    }
    const handed = await send("POST", `/${id}/handoff`, { body: { to: "carol" } });
    expect(roles(handed.body)).toEqual(["alice navigator", "bob navigator", "carol driver"]);
    const alone = await start({}, []);
    expect((await send("POST", `/${alone}/handoff`)).body.detail).toContain("there is no navigator");
  });
});

describe("POST /pair/session/{sessionId}/end", () => {
  it("leaves the session readable but not changeable, and is idempotent", async () => {
    const { start, send, change, show } = await openPair();
    const id = await start({ [FILE]: "x" });
    const ended = await send("POST", `/${id}/end`);
    expect([ended.status, ended.body.session.state]).toEqual([200, "ended"]);
    expect(ended.body.session.endedAt).toBe(ended.body.session.updatedAt);
    const refused = [
      await change(id, { edits: [{ from: 0, to: 0, insert: "x" }] }),
      await send("POST", `/${id}/handoff`),
    ];
    for (const { status, body } of refused) expect([status, body.error]).toEqual([409, "invalid_state"]);
    expect((await send("POST", `/${id}/end`)).body).toEqual(ended.body);
    expect((await show(id)).session).toEqual(ended.body.session);
    expect((await send("POST", "/pair_none/end")).status).toBe(404);
  });
});
