import { ruleCases } from "../cases.ts";

ruleCases("sql-injection", {
  javascript: {
    must: [
      "db.query(`SELECT * FROM users WHERE id = ${req.params.id}`)",
      "db.query('SELECT * FROM users WHERE id = ' + req.query.id)",
      'function find(name) {\n  const sql = "DELETE FROM users WHERE name = \'" + name + "\'";«here»\n  return sql;\n}',
      "const sql = util.format('UPDATE users SET name = %s', req.body.name);",
      "let sql = 'SELECT * FROM users WHERE name = ';\nsql += req.query.name;«here»",
      "prisma.$queryRawUnsafe(`SELECT ${req.query.column} FROM users`)",
      "knex('users').whereRaw('name = ' + req.query.name)",
      "await pool.query({ text: `INSERT INTO logs (line) VALUES ('${req.body}')` })",
    ],
    mustNot: [
      'const metadata = `resource_metadata="${url}"`;',
      "const line = `export TOKEN='${token}'`;",
      'html += `class="${name}"`;',
      "db.query('SELECT * FROM users WHERE id = ?', [req.params.id])",
      "sql`SELECT * FROM users WHERE id = ${id}`",
      "Prisma.sql`SELECT * FROM users WHERE id = ${id}`",
      "const text = `Select one from ${names}`;",
      "console.log(`SELECT * FROM users WHERE id = ${id}`)",
      "throw new Error(`INSERT INTO users failed for ${name}`)",
      "db.query(`SELECT * FROM ${TABLE} WHERE id = $1`, [id])",
      "const table = 'users';\ndb.query(`SELECT * FROM ${table} WHERE id = $1`, [id])",
      "db.query(`SELECT * FROM users LIMIT ${Number(req.query.limit)}`)",
      "const note = 'update ' + name + ' as soon as you can';",
      "db.query(`SELECT * FROM users WHERE id IN (${placeholders})`, ids)",
    ],
  },
  python: {
    must: [
      "cursor.execute(f\"SELECT * FROM users WHERE name = '{name}'\")",
      'cursor.execute("SELECT * FROM users WHERE id = %s" % user_id)',
      'cursor.execute("SELECT * FROM users WHERE id = {}".format(user_id))',
      'cursor.execute("SELECT * FROM users WHERE id = " + request.args["id"])',
      'def find(name):\n    query = "SELECT * FROM users WHERE name = \'" + name + "\'"\n    return query',
      "User.objects.raw(\"SELECT * FROM users WHERE name = '%s'\" % name)",
      'session.execute(text(f"DELETE FROM users WHERE id = {user_id}"))',
      'query = """\nSELECT *\nFROM users\nWHERE name = \'""" + request.form["name"]',
    ],
    mustNot: [
      'cursor.execute("SELECT * FROM users WHERE id = %s", (user_id,))',
      'logger.info(f"SELECT * FROM users for {name}")',
      'raise ValueError(f"update users set failed: {name}")',
      'cursor.execute(f"SELECT * FROM {TABLE}")',
      'text = f"Please select a value from {choices}"',
    ],
  },
  go: {
    must: [
      'db.Query("SELECT * FROM users WHERE id = " + id)',
      "rows, err := db.Query(fmt.Sprintf(\"SELECT * FROM users WHERE name = '%s'\", name))",
      'query := fmt.Sprintf("DELETE FROM users WHERE id = %s", r.FormValue("id"))«here»\ndb.ExecContextLater(query)',
      'db.Exec("UPDATE users SET name = \'" + r.URL.Query().Get("name") + "\'")',
    ],
    mustNot: [
      'db.Query("SELECT * FROM users WHERE id = $1", id)',
      'log.Printf("SELECT * FROM users WHERE id = %s", id)',
      'return fmt.Errorf("insert into users: %w", err)',
    ],
  },
  java: {
    must: [
      'statement.executeQuery("SELECT * FROM users WHERE id = " + id);',
      'String sql = String.format("SELECT * FROM users WHERE name = \'%s\'", request.getParameter("name"));',
      'connection.prepareStatement("DELETE FROM users WHERE id = " + request.getParameter("id"));',
      'String query = "SELECT * FROM users WHERE name = \'" + request.getParameter("name") + "\'";\nstatement.execute(query);',
      'entityManager.createQuery("select u from User u where u.name = \'" + name + "\'");',
    ],
    mustNot: [
      'connection.prepareStatement("SELECT * FROM users WHERE id = ?");',
      'logger.info("SELECT * FROM users WHERE id = " + id);',
      'String sql = "SELECT * FROM users " + "WHERE id = ?";',
      'throw new SQLException("insert into users failed: " + id);',
    ],
  },
  ruby: {
    must: [
      "User.where(\"name = '#{params[:name]}'\")",
      'User.find_by_sql("SELECT * FROM users WHERE id = #{params[:id]}")',
      'ActiveRecord::Base.connection.execute("DELETE FROM users WHERE id = #{id}")',
      'User.order("#{params[:sort]} ASC")',
      'sql = "SELECT * FROM users WHERE name = \'" + params[:name] + "\'"',
      "query = <<~SQL\n  SELECT * FROM users WHERE name = '#{params[:name]}'\nSQL",
    ],
    mustNot: [
      'User.where("name = ?", params[:name])',
      "User.where(name: params[:name])",
      "User.order(:name)",
      'logger.info "SELECT * FROM users WHERE id = #{id}"',
    ],
  },
  php: {
    must: [
      '<?php\n$db->query("SELECT * FROM users WHERE id = $id");',
      "<?php\nmysqli_query($db, 'SELECT * FROM users WHERE id = ' . $_GET['id']);",
      "<?php\n$sql = \"DELETE FROM users WHERE name = '{$_POST['name']}'\";",
      '<?php\n$sql = sprintf("SELECT * FROM users WHERE name = \'%s\'", $_GET["name"]);',
      '<?php\nDB::select("SELECT * FROM users WHERE id = " . $request->input("id"));',
    ],
    mustNot: [
      "<?php\n$db->prepare('SELECT * FROM users WHERE id = ?');",
      "<?php\n$db->query('SELECT * FROM users');",
      '<?php\nerror_log("SELECT failed");',
      "<?php\n$text = 'Select an item from ' . $shop;",
    ],
  },
  c: {
    must: [
      "sprintf(query, \"SELECT * FROM users WHERE name = '%s'\", name);",
      'snprintf(query, sizeof query, "DELETE FROM users WHERE id = %s", argv[1]);',
    ],
    mustNot: [
      'sqlite3_prepare_v2(db, "SELECT * FROM users WHERE id = ?", -1, &statement, NULL);',
      'printf("SELECT * FROM users WHERE name = %s", name);',
    ],
  },
  cpp: {
    must: [
      'std::string query = "SELECT * FROM users WHERE name = \'" + name + "\'";',
      'query.exec("DELETE FROM users WHERE id = " + id);',
    ],
    mustNot: [
      'query.prepare("SELECT * FROM users WHERE id = ?");',
      'std::string query = "SELECT * FROM users";',
    ],
  },
  csharp: {
    must: [
      'var command = new SqlCommand("SELECT * FROM users WHERE id = " + id, connection);',
      "command.CommandText = $\"SELECT * FROM users WHERE name = '{name}'\";",
      'var sql = string.Format("DELETE FROM users WHERE id = {0}", Request.QueryString["id"]);',
      "context.Users.FromSqlRaw($\"SELECT * FROM users WHERE name = '{name}'\");",
    ],
    mustNot: [
      'var command = new SqlCommand("SELECT * FROM users WHERE id = @id", connection);',
      'var command = new SqlCommand("SELECT * FROM users " + "WHERE id = @id", connection);',
      'logger.LogInformation($"Selected {count} from users");',
    ],
  },
  rust: {
    must: [
      "let query = format!(\"SELECT * FROM users WHERE name = '{}'\", name);",
      'sqlx::query(&format!("DELETE FROM users WHERE id = {}", id)).execute(&pool).await?;',
      'connection.execute(&("SELECT * FROM users WHERE id = ".to_string() + &id), [])?;',
    ],
    mustNot: [
      'sqlx::query("SELECT * FROM users WHERE id = $1").bind(id).fetch_one(&pool).await?;',
      'println!("SELECT * FROM users WHERE id = {}", id);',
    ],
  },
});
