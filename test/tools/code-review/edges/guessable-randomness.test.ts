import { edges } from "./edges.ts";

edges("insecure-randomness", "A.java", [
  ["class A { Object f() { return new SplittableRandom(); } }", "1"],
  ["class A { int f() { int split = new Random().nextInt(); return split; } }"],
]);
