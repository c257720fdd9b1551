import { ruleCases } from "../cases.ts";

const SLASHES = {
  must: [
    "// TODO: handle the empty list",
    "run(); // FIXME breaks on Windows",
    "/*\n * HACK: waits for the other thread«here»\n */",
    "// XXX is this right?",
  ],
  mustNot: [
    "// TODO(#123): handle the empty list",
    "// TODO(anna): handle it",
    "// FIXME: see https://example.test/issues/12",
    "// handles the empty list",
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
