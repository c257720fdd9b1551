import { edges } from "../edges.ts";

edges("unresolved-todo", "a.ts", [
  ["// TODO: handle it", "1:4"],
  ["run(); // FIXME: breaks", "1:11"],
  ["/* HACK: waits */", "1:4"],
  ["/*\n * XXX: is this right?\n */", "2:4"],
  ["const TODO = 1; // TODO: 2", "1:20"],
]);
