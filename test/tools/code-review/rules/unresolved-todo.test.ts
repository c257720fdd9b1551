import { ruleCases } from "../cases.ts";

const SLASHES = {
  must: [
    "// TODO: handle the empty list",
    "run(); // FIXME breaks on Windows",
    "/*\n * HACK: waits for the other thread«here»\n */",
    "// XXX is this right?",
    "// todo: handle the empty list",
    "//  fixme - breaks on Windows",
    "// BUG: loses the last line",
    "// To the TODO: add more",
    "// first line\n// TBD«here»",
    "/*\n * well\n * and TO-DO: the rest«here»\n */",
    "// TODO: as in 2019",
  ],
  mustNot: [
    "// TODO(#123): handle the empty list",
    "// TODO(anna): handle it",
    "// FIXME: see https://example.test/issues/12",
    "// handles the empty list",
    "// shows the TODO list",
    "// ids look like XXX-XXX or TXXX/BXXX",
    "// sets `TODO` on it",
    "// see a.TODO of it",
    "// TODO=1 turns it on",
    "// no BUG known",
    "// we hack todo lists together",
    "// TODO: wait for ABC-123",
    "// TODO @anna: handle it",
    "// TODO[anna] handle it",
    "// TODO <anna@example.test>",
    "// TODO: gh-12",
    "// FIXME see #1234",
    "// HACK around issue 1234",
    "// XXX https://bugs.test/show_bug.cgi?id=7",
    'const text = "TODO: x";',
  ],
};
const HASHES = {
  must: ["# TODO: handle the empty list", "run # FIXME breaks on Windows"],
  mustNot: ["# TODO(#123): handle the empty list", "# TODO ABC-123 handle it", "# a list of things"],
};

ruleCases("unresolved-todo", {
  javascript: SLASHES,
  go: SLASHES,
  java: SLASHES,
  c: SLASHES,
  cpp: SLASHES,
  csharp: SLASHES,
  rust: SLASHES,
  php: {
    must: ["<?php\n// TODO: x", "<?php\n# FIXME x"],
    mustNot: ["<?php\n// TODO(#1): x", "<?php\n$todo = 1;"],
  },
  python: HASHES,
  ruby: HASHES,
  shell: HASHES,
  yaml: HASHES,
  dockerfile: HASHES,
  markup: { must: ["<!-- TODO: x -->"], mustNot: ["<!-- TODO(#1): x -->", "<h1>TODO</h1>"] },
  other: { must: ["// TODO: x"], mustNot: ["// TODO(#1): x", "let todos = 1"] },
});
