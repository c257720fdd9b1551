import { edges } from "../edges.ts";

edges("loose-equality", "a.c", [['if (a == "b") c("#");', "1"], ['#if a == "b"'], ['  #elif a == "b"']]);

edges("weak-cryptography", "a.ts", [
  ["use(CALG_MD5);", "1"],
  ["use({ CALG_MD5: a });"],
  ["use({ a, CALG_MD5: b });"],
  ["const CALG_MD5 = a;"],
]);

edges("code-evaluation", "a.py", [
  ["globals()[request.args['a']]()", "1"],
  ["locals()[request.args['a']]()", "1"],
  ["globals()(request.args['a'])"],
  ["globals().get(request.args['a'])", "1"],
  ["globals()[a]()"],
  ["globals()['a' + request.args"],
]);
edges("code-evaluation", "a.rb", [["a.instance_eval(params[:a])", "1"], ["a.class_eval(&b)"]]);

edges("tls-verification-disabled", "a.ts", [
  ["connect({ checkServerIdentity: () => undefined });", "1"],
  ["connect({ checkServerIdentity: () => { return void 0; } });", "1"],
  ["connect({ checkServerIdentity: () => { return undefined; } });", "1"],
  ["connect({ checkServerIdentity: () => { } });", "1"],
  ["connect({ checkServerIdentity: () => { return true && verify(a); } });"],
  ["connect({ checkServerIdentity: () => { return check; } });"],
  ["connect({ checkServerIdentity: () => { return true; verify(a); } });"],
]);

edges("command-injection", "A.cs", [
  ["void F(string a) { Process.Start(new() { FileName = a }); }", "1"],
  ["void F(string a) { Upload(new() { FileName = a }); }"],
  [
    'void F(string a) {\n  Process.Start(new ProcessStartInfo {\n    FileName = a });\n  Process.Start("git"); }',
    "2",
  ],
]);

edges("sql-injection", "a.php", [
  ["<?php\n$q = \"SELECT * FROM t WHERE a = '$_GET[a]'\";\nmysqli_query($link, $q);", "3"],
  ["<?php\n$q = \"SELECT * FROM t WHERE a = '$_GET[a]'\";\npg_query($link, $q);", "3"],
]);

edges("path-traversal", "a.go", [
  [
    'import "archive/zip"\nfunc f(archive *zip.Reader) {\n\tfor _, file := range archive.File {\n\t\tos.Create(file.Name)\n\t}\n}',
    "4",
  ],
  [
    'import "list"\nfunc f(all *list.All) {\n\tfor _, file := range all.File {\n\t\tos.Create(file.Name)\n\t}\n}',
  ],
]);

edges("private-key", "a.txt", [
  ["-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED", "1"],
  ["-----BEGIN RSA PRIVATE KEY-----\nPro: 4", "1"],
  ["-----BEGIN RSA PRIVATE KEY-----\nPr: 4"],
  ["-----BEGIN RSA PRIVATE KEY-----\n<Proc-Type: 4>"],
  ["-----BEGIN RSA PRIVATE KEY-----\n\n", "1"],
  ["-----BEGIN RSA PRIVATE KEY-----", "1"],
]);
