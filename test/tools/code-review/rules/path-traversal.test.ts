import { ruleCases } from "../cases.ts";

ruleCases("path-traversal", {
  javascript: {
    must: [
      "app.get('/', (req, res) => fs.readFile(req.query.file, done));",
      "app.get('/', (req, res) => res.sendFile(path.join(root, req.params.name)));",
      "import path from 'node:path';\nzip.on('entry', (entry) => extract(path.join(target, entry.path)));",
      "const { readFile } = require('fs');\nfunction read(fileName) {\n  return readFile(fileName);\n}",
      "app.get('/', (req) => {\n  const file = path.resolve(root, req.query.file);«here»\n  return open(file);\n});",
    ],
    mustNot: [
      "fs.readFile('config.json', done)",
      "path.join(__dirname, 'views')",
      "function read(directory, file) {\n  return path.join(directory, file);\n}",
      "app.get('/', (req, res) => res.sendFile(req.params.name, { root: 'public' }));",
      "app.get('/', (req) => {\n  const file = path.resolve(root, req.query.file);\n  if (!file.startsWith(root)) throw new Error('outside');\n});",
      "['a', 'b'].map((name) => path.join(root, name))",
      "app.get('/', (req) => path.join(root, path.basename(sanitize(req.query.file))));",
    ],
  },
  python: {
    must: [
      "open(request.args['file'])",
      "send_file(os.path.join(root, request.args.get('name')))",
      "tar.extractall(target)",
      "os.remove(request.form['path'])",
    ],
    mustNot: [
      "open('config.json')",
      "def read(path):\n    return open(path)",
      "tar.extractall(target, filter='data')",
      "open(secure_filename(request.args['file']))",
    ],
  },
  go: {
    must: [
      'os.Open(r.URL.Query().Get("file"))',
      'http.ServeFile(w, r, r.FormValue("file"))',
      'os.ReadFile(filepath.Join(root, r.FormValue("file")))',
    ],
    mustNot: [
      'os.Open("config.json")',
      "func read(path string) {\n\tos.Open(path)\n}",
      'filepath.Join(root, "views")',
    ],
  },
  java: {
    must: [
      'new File(request.getParameter("file"));',
      'Paths.get(root, request.getParameter("file"));',
      "new File(target, entry.getName());",
    ],
    mustNot: [
      'new File("config.json");',
      "File read(String path) {\n  return new File(path);\n}",
      "entry.getName();",
    ],
  },
  ruby: {
    must: [
      "File.read(params[:file])",
      "send_file params[:path]",
      "File.open(File.join(root, params[:name]))",
    ],
    mustNot: ["File.read('config.yml')", "File.read(path)"],
  },
  php: {
    must: [
      "<?php\nreadfile($_GET['file']);",
      "<?php\n$text = file_get_contents('files/' . $_GET['name']);",
      "<?php\nunlink($_POST['path']);",
    ],
    mustNot: ["<?php\nreadfile('manual.pdf');", "<?php\n$text = file_get_contents($path);"],
  },
  csharp: {
    must: [
      'File.ReadAllText(Request.QueryString["file"]);',
      'var path = Path.Combine(root, Request.Form["name"]);',
    ],
    mustNot: ['File.ReadAllText("config.json");', 'var path = Path.Combine(root, "views");'],
  },
  rust: {
    must: [
      "async fn show(Path(name): Path<String>) {\n  File::open(name);\n}",
      "async fn show(name: web::Path<String>) {\n  fs::read_to_string(name.as_str());\n}",
    ],
    mustNot: ['File::open("config.json")?;', "fn read(path: &str) {\n  File::open(path);\n}"],
  },
});
