import { edges } from "../edges.ts";

edges("loose-equality", "a.ts", [
  ["a == b", "1:3"],
  ["a != b", "1:3"],
  ["a === b"],
  ["a is b"],
  ["a == null"],
  ["null != a"],
  ["a == undefined"],
  ["undefined == a"],
  ['typeof a == "b"'],
  ["a == typeof b"],
  ['f("a == b")'],
  ["a == b;\nc != d;", "1:3", "2:3"],
]);

edges("loose-equality", "a.py", [
  ['a is "b"', "1:3"],
  ['a is not "b"', "1:3"],
  ["a is 5", "1:3"],
  ["5 is a", "1:3"],
  ['"b" is a', "1:5"],
  ["a is b"],
  ["a is not b"],
  ["a is None"],
  ["a is not None"],
  ["a == 5"],
  ['f("a is 5")'],
]);

edges("loose-equality", "A.java", [
  ['a == "b"', "1:3"],
  ['"b" != a', "1:5"],
  ["a == 'b'"],
  ["a == b"],
  ["a == 5"],
  ['a.equals("b")'],
]);
for (const path of ["A.kt", "A.kts", "A.scala", "A.groovy", "build.gradle"])
  edges("loose-equality", path, [['a == "b"']]);

edges("loose-equality", "a.c", [
  ['if (a == "b") c();', "1:7"],
  ['#if a == "b"'],
  ['  #if a == "b"'],
  ["if (a == 'b') c();"],
]);

edges("loose-equality", "a.cpp", [
  ['void f(char *a) { if (a == "b") c(); }', "1:25"],
  ['void f(const char *a) { if ("b" == a) c(); }', "1:33"],
  ['void f(char a) { if (a == "b") c(); }'],
  ['void f(string *a) { if (a == "b") c(); }'],
  ['void f(char *d) { if (a == "b") c(); }'],
  ['void f(string a) { if (a == "b") c(); char *a; }'],
]);

edges("loose-equality", "a.php", [
  ["<?php\nif ($token == $a) b();", "2:12"],
  ["<?php\nif ($a != $token) b();", "2:8"],
  ["<?php\nif ($user_token == $a) b();", "2:17"],
  ["<?php\nif ($api_key == $a) b();", "2:14"],
  ["<?php\nif (md5($a) == $b) c();", "2:13"],
  ['<?php\nif ($a["csrf"] == $b) c();', "2:16"],
  ['<?php\nif ($a["api_key"] == $b) c();', "2:19"],
  ['<?php\nif ($a["apikey"] == $b) c();', "2:18"],
  ["<?php\nif ($a == $b) c();"],
  ["<?php\nif ($token == null) b();"],
  ["<?php\nif ($token == '') b();"],
  ['<?php\nif ("" == $token) b();'],
  ["<?php\nif ($token === $a) b();"],
  ["<?php\nif ($tokens == $a) b();"],
  ["<?php\nif ($a == $b) { c(); d(); e(); f(); $token; }"],
]);
