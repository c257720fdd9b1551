import { edges } from "./edges.ts";

edges("insecure-randomness", "A.java", [
  ["class A { String f() { String token = new SplittableRandom().nextInt() + x; return token; } }", "1"],
  ["class A { int f() { int split = new Random().nextInt(); return split; } }"],
]);
