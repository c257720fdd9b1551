import { edges } from "../edges.ts";

edges("path-traversal", "A.java", [
  ["void f(ZipEntry e) { new File(d, e.getName()); }", "1"],
  ["void f(TarArchiveEntry e) { new File(d, e.getName()); }", "1"],
  ["void f(JarEntry e) { d.resolve(e.getName()); }", "1"],
  ["void f(Shop e) { new File(d, e.getName()); }"],
  ["new File(d, entry.getName());", "1"],
  ["new File(d, entry.getPath());"],
  ["new File(d, entry.getNames());"],
  ["new File(d, entry);"],
  ["new Filed(d, entry.getName());"],
]);

edges("path-traversal", "A.cs", [
  ["foreach (var e in a.Entries) { var p = Path.Combine(d, e.FullName); }", "1"],
  ["foreach (var e in a.Entries) { var p = Path.Combine(d, e.Name); }", "1"],
  ["foreach (var e in a.Entries) { var p = Path.Combine(d, e.FullNames); }"],
  ["foreach (var e in a.Entries) { var p = Path.Combine(d, f.Name); }"],
  ["foreach (var e in a.Others) { var p = Path.Combine(d, e.FullName); }"],
  ["var e = a.Entries; var p = Path.Combine(d, e.FullName);"],
]);

edges("path-traversal", "a.go", [
  ["func f(file *zip.File) { os.Create(file.Name) }", "1"],
  ["func f(file *tar.Header) { os.Create(file.Name) }", "1"],
  ["func f(file *tar.Header) { os.Create(file.Size) }"],
  ["func f(file *gzip.File) { os.Create(file.Name) }"],
  ["func f(file *os.File) { os.Create(file.Name) }"],
  ["func f() {\n\tr := zip.Open(a)\n\tfor _, e := range r.File {\n\t\tos.Create(e.Name)\n\t}\n}", "4"],
  ["func f() {\n\tr := tar.Open(a)\n\tfor _, e := range r.File {\n\t\tos.MkdirAll(e.Name)\n\t}\n}", "4"],
  ["func f() {\n\tr := bag.Open(a)\n\tfor _, e := range r.File {\n\t\tos.Create(e.Name)\n\t}\n}"],
  ["func f() {\n\tr := zip.Open(a)\n\tfor _, e := range r.Files {\n\t\tos.Create(e.Name)\n\t}\n}"],
  ["func f() {\n\tr := zip.Open(a)\n\tfor _, e := range r.File {\n\t\tos.Create(g.Name)\n\t}\n}"],
  ["func f() {\n\tr := zip.Open(a)\n\tos.Create(e.Name)\n\tfor _, e := range r.File {\n\t}\n}"],
]);

edges("path-traversal", "a.py", [
  ["tar.extractall(d)", "1"],
  ["archive.extractall(d)", "1"],
  ["tarfile.open(a).extractall(d)", "1"],
  ["tar.extractall(d, filter='data')"],
  ["tar.extractall(d, members=safe(tar))"],
  ["tar.extractall(d, filters=f)", "1"],
  ["restart.extractall(d)"],
  ["z.extractall(d)"],
  ["tar.extract(d)"],
]);

const sent = (above: string) => `${above}\nres.send(req.query.a);`;

edges("unsafe-html", "a.ts", [
  [sent(""), "2"],
  [sent("res.type('html');"), "2"],
  [sent("res.type('text');")],
  [sent("res.type('textual');"), "2"],
  [sent("res.type('json');")],
  [sent("res.type('text/csv');")],
  [sent("say('text/csv');"), "2"],
  [sent("res.set('Content-Type', 'text/plain');")],
  [sent("res.set('Content-Type', 'text/html');"), "2"],
  [sent("res.set('Content-Type', 'image/png');")],
  [sent("res.set('Content-Type', 'image/svg+xml');"), "2"],
  [sent("res.set('Content-Type', 'application/json');")],
  [sent("res.set('Content-Type', 'application/xhtml+xml');"), "2"],
  [sent("res.set('Content-Type', 'audio/ogg');")],
  [sent("res.set('Content-Type', 'video/mp4');")],
  [sent("res.type('html');\nres.type('text');")],
  [sent("res.type('text'); res.type('html');"), "2"],
  ["function g() { res.type('text'); }\nfunction f(req) { res.send(req.query.a); }", "2"],
  ["res.send(req.query.a);\nres.type('text');", "1"],
]);

edges("unsafe-html", "a.py", [
  ["def f():\n    return Response(request.args['a'])", "2"],
  ["def f():\n    return Response(request.args['a'], mimetype='text/plain')"],
  ["def f():\n    return Response(request.args['a'], mimetype='text/html')", "2"],
  ["def f():\n    return Response(request.args['a'], content_type='application/json')"],
  ["def f():\n    return Response(request.args['a'], 'text/plain')"],
  ["def f():\n    return Response(request.args['a'], note='text/html')", "2"],
]);

edges("swallowed-error", "a.rs", [
  ["if let Err(_) = f() {}", "1"],
  ["while let Err(e) = f(g) {}", "1"],
  ["if let Err(_) = f(|a| { a }) {}", "1"],
  ["if let Err(_) = f() { g(); }"],
  ["if let Err(_) = f(); {}"],
  ["if let Ok(_) = f() {}"],
  ["let Err(_) = f() else {};"],
  ["if let Err(_) = f() { /* gone already */ }"],
  ["if let Err(_) == f() {}"],
]);
