import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../support/app.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { ownerOf } from "../support/owner.ts";

/** Starts a server with two users, each on a machine of their own. */
async function openTwo(options: Parameters<typeof startApp>[0] = {}) {
  const app = await startApp(options);
  const person = (name: string) => {
    const { home, ...rest } = ownerOf(app, { USER: name });
    return {
      ...rest,
      home,
      write: (path: string, text: string) => {
        mkdirSync(join(home, path, ".."), { recursive: true });
        writeFileSync(join(home, path), text);
      },
      read: (path: string) => readFileSync(join(home, path), "utf8"),
    };
  };
  return { app, alice: person("alice"), bob: person("bob") };
}

async function contentOf(app: TestApp, id: string): Promise<Record<string, string>> {
  const { body } = await app.request("GET", `/api/v1/tools/pair/session/${id}`);
  return Object.fromEntries(
    body.files.map(({ path, content }: { path: string; content: string }) => [path, content]),
  );
}

describe("tool pair", () => {
  it("merges simultaneous edits of a file by two people with separate copies", async () => {
    const { app, alice, bob } = await openTwo();
    alice.write("src/a.txt", "one\r\ntwo\r\nthree\r\n");
    const started = await alice.tool("pair", "start", "src/a.txt", "--with", "bob", "--title", "Count");
    expect(started.code).toBe(0);
    const id = /Session (pair_\w+) started: alice drives · bob navigates/.exec(started.stdout)?.[1] ?? "";
    expect(id).not.toBe("");

    expect((await bob.tool("pair", "show", id, "--write")).stdout).toContain(
      "1 file written, as of change 0",
    );
    expect(bob.read("src/a.txt")).toBe("one\r\ntwo\r\nthree\r\n");
    bob.write("src/a.txt", "one\r\ntwo\r\nTHREE\r\n");
    alice.write("src/a.txt", "ONE\r\ntwo\r\nthree\r\n");
    const first = await alice.tool("pair", "change", id, "src/a.txt", "--message", "Louder");
    expect([first.code, first.stdout]).toEqual([0, "✔ 1 edit of src/a.txt sent: revision 1\n"]);
    const second = await bob.tool("pair", "change", id, "src/a.txt");
    expect(second.stdout).toContain("✔ 1 edit of src/a.txt sent: revision 2");
    expect(second.stdout).toContain("What others changed meanwhile is in your file now.");
    expect(bob.read("src/a.txt")).toBe("ONE\r\ntwo\r\nTHREE\r\n");

    const taken = await alice.tool("pair", "change", id, "src/a.txt");
    expect(taken.stdout).toBe("Nothing to send. src/a.txt has what others changed: revision 2.\n");
    expect(alice.read("src/a.txt")).toBe("ONE\r\ntwo\r\nTHREE\r\n");
    expect(await contentOf(app, id)).toEqual({ "src/a.txt": "ONE\r\ntwo\r\nTHREE\r\n" });

    const shown = await bob.tool("pair", "show", id);
    expect(shown.stdout).toMatch(/^Count {2}active, started .*$/m);
    expect(shown.stdout).toMatch(/^src\/a\.txt +2 +17$/m);
    expect(shown.stdout).toMatch(/^ +1 {2}alice {3}src\/a\.txt .* Louder$/m);
    const file = await bob.tool("pair", "show", id, "src/a.txt");
    expect(file.stdout).toBe("ONE\r\ntwo\r\nTHREE\r\n");
  });

  it("writes no file through an outward link or into .git, but all others", async () => {
    const { app, alice, bob } = await openTwo();
    alice.write("a.txt", "kept\n");
    const { json } = await alice.tool("pair", "start", "a.txt", "--with", "bob", "--json");
    const id: string = json.session.id;
    const put = (path: string) =>
      app.request("POST", `/api/v1/tools/pair/session/${id}/change`, {
        body: { author: "bob", path, baseRevision: 0, edits: [{ from: 0, to: 0, insert: "theirs" }] },
      });
    expect((await put(".git/hooks/pre-commit")).status).toBe(400);
    expect((await put("sub/.GIT/config")).status).toBe(400);
    const outside = temporaryDirectory();
    mkdirSync(join(bob.home, ".git"));
    mkdirSync(join(bob.home, "real"));
    const links = {
      out: outside,
      dangling: join(outside, "new.txt"),
      hooks: ".git",
      circle: "circle",
      inside: "real",
    };
    for (const [name, to] of Object.entries(links)) symlinkSync(to, join(bob.home, name));
    // A file that exists already must not prevent the others from being written.
    writeFileSync(join(outside, "theirs"), "mine");
    const refused = [
      "out/theirs",
      "out/keys",
      "out/deep/keys",
      "dangling",
      "hooks/pre-commit",
      "circle",
      "a.txt/inner",
    ];
    for (const path of [...refused, "inside/b.txt", "made/by/them.txt"]) {
      expect([path, (await put(path)).status]).toEqual([path, 201]);
    }
    const shown = await bob.tool("pair", "show", id, "--write", "--json");
    expect(shown.json.leftOut.map(({ path }: { path: string }) => path).sort()).toEqual([...refused].sort());
    expect(readdirSync(outside)).toEqual(["theirs"]);
    expect(readFileSync(join(outside, "theirs"), "utf8")).toBe("mine");
    expect(readdirSync(join(bob.home, ".git"))).toEqual([]);
    expect([bob.read("a.txt"), bob.read("real/b.txt"), bob.read("made/by/them.txt")]).toEqual([
      "kept\n",
      "theirs",
      "theirs",
    ]);
    const again = await bob.tool("pair", "show", id, "--write");
    expect(again.stdout).toContain("3 files written");
    expect(again.stdout).toContain("Left out out/keys: out/keys is not within this directory.");
    expect(again.stdout).toContain(`Left out a.txt/inner: ${join(bob.home, "a.txt")} is a file`);
  });

  it("shows both sides of a conflict, and overwrites no unsent work", async () => {
    const { alice, bob } = await openTwo();
    alice.write("a.txt", "let x = 1;\nlet y = 2;\n");
    const { json } = await alice.tool("pair", "start", "a.txt", "--with", "bob", "--json");
    const id: string = json.session.id;
    await bob.tool("pair", "show", id, "--write");
    alice.write("a.txt", "let x = 10;\nlet y = 2;\n");
    bob.write("a.txt", "let x = 100;\nlet y = 3;\n");
    await alice.tool("pair", "change", id, "a.txt");
    // Replacing the same text is a conflict. Inserting at the same place is not.
    alice.write("a.txt", "let z = 10;\nlet y = 2;\n");
    await alice.tool("pair", "change", id, "a.txt");
    bob.write("a.txt", "let w = 1;\nlet y = 3;\n");
    const refused = await bob.tool("pair", "change", id, "a.txt");
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("✖ alice changed the same text meanwhile. Nothing was sent.");
    expect(refused.stdout).toMatch(
      /theirs, change 2\n1 - let x = 10;\n1 \+ let z = 10;\n\nyours\n1 - let x = 10;\n1 \+ let w = 10;/,
    );
    expect(bob.read("a.txt")).toBe("let w = 1;\nlet y = 3;\n");
    const overwriting = await bob.tool("pair", "show", id, "--write");
    expect([overwriting.code, overwriting.stderr]).toEqual([2, expect.stringContaining("would be lost")]);
    bob.write("a.txt", "let w = 10;\nlet y = 3;\n");
    expect((await bob.tool("pair", "change", id, "a.txt", "--latest")).code).toBe(0);
    expect((await alice.tool("pair", "show", id, "a.txt")).stdout).toBe("let w = 10;\nlet y = 3;\n");
  });

  it("takes two changes of the same number for a conflict", async () => {
    const { app, alice, bob } = await openTwo();
    alice.write("a.txt", "let x = 2;\n");
    const { json } = await alice.tool("pair", "start", "a.txt", "--with", "bob", "--json");
    const id: string = json.session.id;
    await bob.tool("pair", "show", id, "--write");
    alice.write("a.txt", "let x = 22;\n");
    bob.write("a.txt", "let x = 33;\n");
    await alice.tool("pair", "change", id, "a.txt");
    const refused = await bob.tool("pair", "change", id, "a.txt");
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringContaining("alice changed the same text"),
    ]);
    expect(await contentOf(app, id)).toEqual({ "a.txt": "let x = 22;\n" });
  });

  it("does not compare a file that was never read here with what others made of it since", async () => {
    const { app, alice, bob } = await openTwo();
    for (const person of [alice, bob]) person.write("a.txt", "one\ntwo\n");
    const { json } = await alice.tool("pair", "start", "a.txt", "--with", "bob", "--json");
    const id: string = json.session.id;
    alice.write("a.txt", "ONE\ntwo\n");
    await alice.tool("pair", "change", id, "a.txt");
    bob.write("a.txt", "one\nTWO\n");
    const refused = await bob.tool("pair", "change", id, "a.txt");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("has not read it since")]);
    expect(refused.stderr).toContain("--latest");
    expect(await contentOf(app, id)).toEqual({ "a.txt": "ONE\ntwo\n" });
    bob.write("a.txt", "ONE\nTWO\n");
    expect((await bob.tool("pair", "change", id, "a.txt", "--latest")).code).toBe(0);
    expect(await contentOf(app, id)).toEqual({ "a.txt": "ONE\nTWO\n" });
  });

  it("says that a new file without text is not in the session", async () => {
    const { app, alice } = await openTwo();
    const { json } = await alice.tool("pair", "start", "--with", "bob", "--json");
    alice.write("__init__.py", "");
    const refused = await alice.tool("pair", "change", json.session.id, "__init__.py");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("is empty, and the session does"),
    ]);
    expect(await contentOf(app, json.session.id)).toEqual({});
  });

  it("adds a file, hands off and ends the session", async () => {
    const { app, alice, bob } = await openTwo();
    const { json } = await alice.tool("pair", "start", "--with", "bob", "--json");
    const id: string = json.session.id;
    bob.write("new.txt", "hello\n");
    expect((await bob.tool("pair", "change", id, "new.txt")).stdout).toContain("revision 1");
    expect(await contentOf(app, id)).toEqual({ "new.txt": "hello\n" });
    expect((await alice.tool("pair", "handoff", id)).stdout).toBe("✔ bob drives · alice navigates\n");
    const unknown = await alice.tool("pair", "handoff", id, "carol");
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('"carol" is no navigator')]);
    expect((await alice.tool("pair", "end", id)).stdout).toBe("✔ Session ended after 1 change\n");
    bob.write("new.txt", "bye\n");
    const late = await bob.tool("pair", "change", id, "new.txt");
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining("This session has ended.")]);
  });

  it("watches a session to its end, as lines and as JSON", async () => {
    const { alice, bob } = await openTwo();
    alice.write("a.txt", "one\ntwo\n");
    const { json } = await alice.tool("pair", "start", "a.txt", "--with", "bob", "--json");
    const id: string = json.session.id;
    const watching = bob.start(["pair", "watch", id]);
    await watching.until("stdout", /alice drives/);
    const program = bob.start(["pair", "watch", id, "--json"]);
    await program.until("stdout", /"event":"session"/);
    alice.write("a.txt", "one\nTWO\nthree\u001b[31m\n");
    await alice.tool("pair", "change", id, "a.txt", "--message", "More");
    await watching.until("stdout", /\+ three/);
    await alice.tool("pair", "handoff", id);
    await watching.until("stdout", /bob drives/);
    await alice.tool("pair", "end", id);
    const [lines, documents] = [await watching.finished, await program.finished];
    expect([lines.code, documents.code]).toEqual([0, 0]);
    expect(lines.stdout.replace(/^\d\d:\d\d:\d\d/m, "12:00:00")).toBe(
      [
        "alice drives · bob navigates",
        "12:00:00  alice a.txt  #1",
        "  More",
        "  2 - two",
        "  2 + TWO",
        "  3 + three␛[31m",
        "bob drives · alice navigates",
        "The session has ended.",
        "",
      ].join("\n"),
    );
    const events = documents.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ event, id: at }) => [event, at])).toEqual([
      ["session", "0"],
      ["change", "1"],
      ["session", "1"],
      ["session", "1"],
    ]);
  });

  it("announces a retry when the server ends its streams, and exits with 130 at SIGINT", async () => {
    const { app, alice, bob } = await openTwo();
    const { json } = await alice.tool("pair", "start", "--with", "bob", "--json");
    const id: string = json.session.id;
    const watching = bob.start(["pair", "watch", id]);
    await watching.until("stdout", /alice drives/);
    const send = async (baseRevision: number) => {
      const edits = [{ from: 0, to: 0, insert: `line ${baseRevision}\n` }];
      const body = { author: "alice", path: "a", baseRevision, edits };
      const sent = await app.request("POST", `/api/v1/tools/pair/session/${id}/change`, { body });
      expect(sent.status).toBe(201);
    };
    await send(0);
    await watching.until("stdout", /\+ line 0/);
    // Ends the streams as a stopping server does. Clients reconnect.
    app.app.endStreams();
    await send(1);
    await send(2);
    await watching.until("stderr", /Trying again/);
    watching.child.kill("SIGINT");
    expect((await watching.finished).code).toBe(130);
  });

  it("reports an unusable file and an unknown session", async () => {
    const { alice } = await openTwo();
    alice.write("ok.txt", "");
    writeFileSync(join(alice.env.HOME, "picture.png"), Buffer.from([0x89, 0x50, 0xff, 0xfe]));
    for (const [words, code, message] of [
      [["start", "none.txt", "--with", "bob"], 1, "does not exist"],
      [["start", "picture.png", "--with", "bob"], 2, "is not UTF-8 text"],
      [["start", "../up.txt", "--with", "bob"], 2, "not within this directory"],
      [["start", "ok.txt"], 2, "--with"],
      [["show", "pair_none"], 1, 'no session "pair_none"'],
      [["watch", "pair_none"], 1, 'no session "pair_none"'],
    ] as const) {
      const done = await alice.tool("pair", ...words);
      expect([words, done.code, done.stderr]).toEqual([words, code, expect.stringContaining(message)]);
    }
  });
});
