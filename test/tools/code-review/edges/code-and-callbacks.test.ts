import { edges } from "../edges.ts";

edges("code-evaluation", "a.ts", [
  ["function f(a) { eval(a); }", "1"],
  ["eval('1 + 1');"],
  ["function f(a) { setTimeout(() => a, 1); }"],
  ["function f(a) { setTimeout(function () { a(); }, 1); }"],
  ["function f(a) { setTimeout('a(' + a + ')', 1); }", "1"],
  ["function f(a) { new Function(a); }", "1"],
  ["function f(a) { a.eval; }"],
]);
edges("code-evaluation", "a.py", [
  ["def f(a):\n    eval(a)", "2"],
  ["def eval(a):\n    b"],
  ["def f(a):\n    ast.literal_eval(a)"],
]);
edges("code-evaluation", "a.rb", [
  ["def f(a)\n  instance_eval(a)\nend", "2"],
  ["def f(&a)\n  instance_eval(&a)\nend"],
  ["def f(a)\n  class_eval(a)\nend", "2"],
  ["def self.eval(a)\nend"],
  ["def eval(a)\nend"],
  ["def f(a)\n  self.eval(a)\nend", "2"],
]);

edges("command-injection", "a.kt", [
  ["fun Runtime.exec(a: String) { }"],
  ["fun f(a: String) { Runtime.getRuntime().exec(a) }", "1"],
]);

edges("tls-verification-disabled", "a.ts", [
  ["https.request({ checkServerIdentity: () => true });", "1"],
  ["https.request({ checkServerIdentity: () => undefined });", "1"],
  ["https.request({ checkServerIdentity: () => { return; } });", "1"],
  ["https.request({ checkServerIdentity: (a, b) => check(a, b) });"],
  ["https.request({ checkServerIdentity: check });"],
]);
edges("tls-verification-disabled", "A.cs", [
  ["h.ServerCertificateCustomValidationCallback = (a, b, c, d) => true;", "1"],
  ["h.ServerCertificateCustomValidationCallback = (a, b, c, d) => d == None;"],
  ["p.ServerCertificateValidationCallback = delegate { return true; };", "1"],
  ["p.ServerCertificateValidationCallback = delegate { return Check(a); };"],
]);
edges("tls-verification-disabled", "a.dart", [
  ["client.badCertificateCallback = (a, b, c) => true;", "1"],
  ["client.badCertificateCallback = (a, b, c) => check(a);"],
  ["void f() { client.badCertificateCallback = check; } final g = () => true;"],
]);

edges("path-traversal", "A.java", [
  ['String f(HttpServletRequest r) { return "redirect:" + r.getParameter("a"); }', "1"],
  ['String f(HttpServletRequest r) { return "redirect:https://" + r.getParameter("a"); }', "1"],
  ['String f(HttpServletRequest r) { return "redirect:/b/" + r.getParameter("a"); }'],
  ['String f(HttpServletRequest r) { return "forward:" + r.getParameter("a"); }'],
]);

edges("unsafe-html", "a.py", [
  ['from flask import Flask, request\n@app.route("/")\ndef f():\n    return "<b>" + request.args["x"]', "4"],
  ['from flask import Flask, request\ndef f():\n    return "hi " + request.args["x"]'],
  ['from flask import Flask, request\n@app.route("/")\ndef f():\n    return "hi " + request.args["x"]', "4"],
  ['from myflask import Flask, request\n@app.route("/")\ndef f():\n    return "hi " + request.args["x"]'],
  ['from flask import Flask, request\n@app.route("/")\ndef f():\n    return "hi"'],
]);

edges("insecure-randomness", "a.rb", [
  ["def token\n  rand(9)\nend", "2"],
  ["def jitter\n  rand(9)\nend"],
  ["def self.jitter\n  rand(9)\nend"],
]);
