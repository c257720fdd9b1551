import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findingsIn } from "./cases.ts";

/** Code with flaws, and its local names, which have no meaning elsewhere. */
const FIXTURES: readonly { file: string; locals: readonly string[]; code: string }[] = [
  {
    file: "app.py",
    locals: ["name", "statement", "link", "cursor", "folder", "target", "digest", "page"],
    code: `import sqlite3, pathlib, hashlib, os
from flask import request, redirect

@app.route("/orders")
def orders():
    name = request.args.get("name")
    if not name:
        name = "none"
    link = sqlite3.connect("orders.db")
    cursor = link.cursor()
    statement = "SELECT * FROM orders WHERE name = '" + name + "'"
    cursor.execute(statement)
    folder = pathlib.Path("/srv/orders")
    target = folder / name
    os.system("ls " + name)
    digest = hashlib.md5(name).hexdigest()
    page = "<h1>" + name + "</h1>"
    return page
`,
  },
  {
    file: "app.ts",
    locals: ["request", "response", "name", "statement", "file"],
    code: `import { exec } from "node:child_process";
import fs from "node:fs";
app.get("/orders", (request, response) => {
  const name = request.query.name;
  const statement = "SELECT * FROM orders WHERE name = '" + name + "'";
  db.query(statement);
  exec("ls " + name);
  const file = "./" + request.params.file;
  fs.readFile(file, done);
  response.send("<b>" + name + "</b>");
});
`,
  },
  {
    file: "app.go",
    locals: ["request", "writer", "name", "statement", "pool"],
    code: `package main
import ("database/sql"; "net/http"; "os"; "os/exec")
func orders(writer http.ResponseWriter, request *http.Request) {
  pool, _ := sql.Open("postgres", address)
  name := request.FormValue("name")
  if name == "" {
    name = "none"
  }
  statement := "SELECT * FROM orders WHERE name = '" + name + "'"
  pool.Query(statement)
  exec.Command(name).Run()
  os.ReadFile("/srv/" + name)
}
`,
  },
  {
    file: "App.java",
    locals: ["request", "response", "name", "statement", "text", "runtime", "input"],
    code: `class App {
  void orders(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String name = request.getParameter("name");
    Statement statement = link.createStatement();
    String text = "SELECT * FROM orders WHERE name = '" + name + "'";
    statement.executeQuery(text);
    Runtime runtime = Runtime.getRuntime();
    runtime.exec("ls " + name);
    new File("/srv/" + name);
    ObjectInputStream input = new ObjectInputStream(socket);
    input.readObject();
    response.sendRedirect(name);
  }
}
`,
  },
  {
    file: "app.php",
    locals: ["name", "statement", "file"],
    code: `<?php
$name = $_GET["name"];
$statement = "SELECT * FROM orders WHERE name = '$name'";
mysqli_query($link, $statement);
system("ls " . $name);
$file = "/srv/" . $name;
readfile($file);
echo "<b>" . $name;
`,
  },
  {
    file: "app.rb",
    locals: ["name", "file", "client"],
    code: `def orders
  name = params[:name]
  User.where("name = '#{name}'")
  system("ls #{name}")
  file = "/srv/" + name
  File.read(file)
  client = Net::FTP.new("example.com")
  client.get("/srv/#{name}")
end
`,
  },
  {
    file: "App.cs",
    locals: ["name", "statement", "command", "process"],
    code: `class App {
  void Orders() {
    var name = Request.Query["name"];
    var statement = "SELECT * FROM orders WHERE name = '" + name + "'";
    var command = new SqlCommand(statement, link);
    var process = Process.Start(name);
    File.ReadAllText("/srv/" + name);
  }
}
`,
  },
];

const findings = (file: string, code: string) =>
  findingsIn(file, code, { minSeverity: "warning" }).map(({ rule, line }) => `${line} ${rule}`);

describe.each(FIXTURES)("renaming the locals of $file", ({ file, locals, code }) => {
  it("changes no finding", () => {
    const expected = findings(file, code);
    expect(expected.length).toBeGreaterThan(2);
    const word = fc.stringMatching(/^[a-z]{1,9}$/).map((text) => `z${text}q`);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: locals.length, maxLength: locals.length }), (names) => {
        let renamed = code;
        for (const [index, local] of locals.entries()) {
          // Members, named arguments and strings keep their names. Interpolations do not.
          const use = new RegExp(`(?<![\\w.":>/])${local}(?![\\w"=(]|:)|(?<=[{"(] ?)${local}(?=[.}])`, "g");
          renamed = renamed.replace(use, names[index] as string);
        }
        expect(findings(file, renamed)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });
});
