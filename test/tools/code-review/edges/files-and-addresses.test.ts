import { edges } from "../edges.ts";

const handler = (body: string) => `app.get('/', (req, res) => {\n${body}\n});`;

edges("path-traversal", "A.java", [
  ['@GetMapping("/")\nString f(@RequestParam String a) {\n  return "redirect:" + a;\n}', "3"],
  ['@GetMapping("/")\nString f(@RequestParam String a) {\n  return "redirect: " + a;\n}', "3"],
  ['@GetMapping("/")\nString f(@RequestParam String a) {\n  return "redirect:https://" + a;\n}', "3"],
  ['@GetMapping("/")\nString f(@RequestParam String a) {\n  return "redirect:http://" + a + "/b";\n}', "3"],
  ['@GetMapping("/")\nString f(@RequestParam String a) {\n  return "redirect:/b/" + a;\n}'],
  ['@GetMapping("/")\nString f(@RequestParam String a) {\n  return "redirect:https://b.test/" + a;\n}'],
  ['@GetMapping("/")\nString f(@RequestParam String a) {\n  return "no redirect:" + a;\n}'],
  ['@GetMapping("/")\nString f(@RequestParam String a) {\n  return "redirect:" + HOME;\n}'],
  ['@GetMapping("/")\nString f(@RequestParam int a) {\n  return "redirect:" + a;\n}'],
]);

edges("path-traversal", "a.rb", [
  ["render template: params[:a]", "1"],
  ["render action: params[:a]", "1"],
  ["render partial: params[:a]", "1"],
  ["render layout: params[:a]", "1"],
  ["render_to_string file: params[:a]", "1"],
  ["render json: params[:a]"],
  ["render file_size: params[:a]"],
  ["render no_file: params[:a]"],
  ["render_all file: params[:a]"],
  ["prerender file: params[:a]"],
  ["render file: 'a'"],
  ["def f(a)\n  render file: a\nend"],
  ["Dir[params[:a]]", "1"],
  ['Dir["a/#{params[:a]}/*"]', "1"],
  ["Dir['a/*']"],
  ["Dir[a]"],
  ["Dirs[params[:a]]"],
  ["Dir[File.basename(params[:a])]"],
]);

edges("path-traversal", "a.ts", [
  ["fetch(location.href);"],
  ["fetch(location);"],
  ["fetch(window.location.pathname);"],
  ["fetch(document.location.origin);"],
  ["fetch(location.hash);", "1"],
  [handler("  res.redirect(base + '/a/' + req.query.a);")],
  [handler("  res.redirect(`${base}/a/${req.query.a}`);")],
  [handler("  res.redirect(build(1) + '/a/' + req.query.a);")],
  [handler("  res.redirect(req.query.b + '/a/' + req.query.a);"), "2"],
  [handler("  res.redirect(base + 'a/' + req.query.a);"), "2"],
  [handler("  res.redirect(`${req.query.b}/a/${req.query.a}`);"), "2"],
  [handler("  res.redirect(`${base}a/${req.query.a}`);"), "2"],
  [handler("  res.redirect('/\\\\' + req.query.a);"), "2"],
  [handler("  res.redirect('http://a.test?b=' + req.query.a);")],
  [handler("  res.redirect('http://a.test' + req.query.a);"), "2"],
  [handler("  res.redirect('x/' + req.query.a);"), "2"],
  [handler("  res.redirect('/a');")],
  [handler("  res.download(req.query.a);"), "2"],
  [handler("  res.download(req.query.a, (error) => log(error));"), "2"],
  [handler("  res.download(req.query.a, { root });")],
  [handler("  res.sendFile(path.join(root, req.query.a), (error) => log(error));"), "2"],
  [handler("  download(req.query.a, root);")],
  [handler("  const a = req.query.a.replace(/\\.\\./g, '');\n  fs.readFile(a, b);")],
  [handler("  const a = req.query.a.replace(/x/g, '');\n  fs.readFile(a, b);"), "3"],
  [handler("  const p = path.join(root, req.query.a);\n  if (!p.startsWith(root)) throw 1;")],
  [handler("  const p = path.join(root, req.query.a);\n  if (path.relative(root, p)) throw 1;")],
  [handler("  const p = path.join(root, req.query.a);\n  if (use(root, p)) throw 1;"), "2"],
  [handler("  const p = path.join(root, req.query.a);\n  if (p.indexOf('..') >= 0) throw 1;")],
  [handler("  const p = path.join(root, req.query.a);\n  if (!q.startsWith(root)) throw 1;"), "2"],
  [handler("  const p = path.join(root, req.query.a);\n  if (!p.restartsWith(root)) throw 1;"), "2"],
  [handler("  const p = path.join(root, req.query.a);\n  if (!p.startsWithout(root)) throw 1;"), "2"],
  [handler("  use(path.join(root, req.query.a));\n  if (!root.startsWith(b)) throw 1;"), "2"],
  [`${handler("  const p = path.join(root, req.query.a);")}\nif (!p.startsWith(root)) throw 1;`, "2"],
  [handler("  const p = path.join(root, req.query.a);\n  fs.readFile(p, b);"), "2"],
  [
    handler("  let p = path.join(root, req.query.a);\n  if (c) p = req.query.d;\n  fs.readFile(p, b);"),
    "2",
    "4",
  ],
  [handler("  const p = path.join(root, req.query.a);\n  fs.readFile(p + '.txt', b);"), "2", "3"],
  [handler("  fs.readFile(new URL(req.query.a).pathname, b);")],
  [handler("  fs.readFile(decode(new Name(req.query.a)).pathname, b);"), "2"],
  ["function f(fileName) { path.join(root, fileName); }", "1"],
  ["function f(fileName) { path.join(fileName, root); }"],
  ["function f(fileName) { path.join('/a', 'b'); }"],
  ["function f(zipEntry) { path.resolve(root, zipEntry.path); }", "1"],
  ["function f(upload) { path.resolve(root, upload.name); }", "1"],
  ["function f(file) { path.resolve(root, file.originalname); }", "1"],
  ["function f(file) { path.resolve(root, file.name); }"],
  ["function f(fileNo) { path.resolve(root, fileNo); }"],
]);

edges("path-traversal", "a.php", [
  ['<?php\nheader("Location: " . $_GET["a"]);', "2"],
  ['<?php\nheader("location:" . $_GET["a"]);', "2"],
  ['<?php\nheader("Location: {$_GET["a"]}");', "2"],
  ['<?php\nheader("Refresh: 0; url=" . $_GET["a"]);', "2"],
  ['<?php\nheader("Location: https://" . $_GET["a"]);', "2"],
  ['<?php\nheader("Location: /b/" . $_GET["a"]);'],
  ['<?php\nheader("Location: https://b.test/" . $_GET["a"]);'],
  ['<?php\nheader("Locations: " . $_GET["a"]);'],
  ['<?php\nheader("X-Location: " . $_GET["a"]);'],
  ['<?php\nheader("Location: /b");'],
]);

const routed = (body: string) => `@app.route("/")\ndef f():\n${body}`;

edges("path-traversal", "a.py", [
  [routed('    return Path("/b") / request.args["a"]'), "3"],
  [routed('    return pathlib.Path("/b") / request.args["a"]'), "3"],
  [routed('    return PurePath("/b") / request.args["a"].strip()'), "3"],
  [routed('    p = Path("/b")\n    q = p / request.args["a"]\n    return q.read_text()'), "4"],
  [routed('    p = PosixPath("/b")\n    return p / request.args["a"] / "c"'), "4"],
  [
    routed(
      '    p = Path("/b")\n    q = p / request.args["a"]\n    if not q.is_relative_to(p):\n        abort()',
    ),
  ],
  [
    routed(
      '    p = Path("/b")\n    q = p / request.args["a"]\n    if not str(q).startswith("/b"):\n        abort()',
    ),
  ],
  [
    routed(
      '    p = Path("/b")\n    q = p / request.args["a"]\n    if not r.is_relative_to(p):\n        abort()',
    ),
    "4",
  ],
  [routed('    return Path("/b") / "a"')],
  [routed('    return Path("/b") / secure_filename(request.args["a"])')],
  [routed('    return XPath("/b") / request.args["a"]')],
  [routed('    return Paths("/b") / request.args["a"]')],
  [routed('    return total / request.args["a"]')],
  [routed('    return 1 / request.args["a"]')],
  [routed('    return (1 + 2) / request.args["a"]')],
]);

edges("path-traversal", "a.go", [
  [
    'func f(w http.ResponseWriter, r *http.Request) {\n\tp := filepath.Clean(filepath.Join(root, r.FormValue("a")))\n\tif !strings.HasPrefix(p, root) {\n\t\treturn\n\t}\n\tos.Open(p)\n}',
  ],
  [
    'func f(w http.ResponseWriter, r *http.Request) {\n\tp := filepath.Clean(filepath.Join(root, r.FormValue("a")))\n\tif !strings.HasPrefix(q, root) {\n\t\treturn\n\t}\n}',
    "2",
  ],
]);

edges("path-traversal", "B.java", [
  ['void f(HttpServletRequest r) {\n  Paths.get(r.getParameter("a")).getFileName();\n}'],
  ['void f(HttpServletRequest r) {\n  Paths.get(r.getParameter("a")).getParent();\n}', "2"],
]);

edges("path-traversal", "views.py", [
  ['path = os.path.join(root, request.GET["a"])\nFileResponse(open(path, "rb"))', "1"],
  ['path = os.path.join(root, request.GET["a"])\nFileResponse(open(path))', "1"],
  ['path = os.path.join(root, request.GET["a"])\nFileResponse(open(path + request.GET["b"]))', "1", "2"],
  ['path = os.path.join(root, "a")\nFileResponse(open(request.GET["b"]))', "2"],
]);
