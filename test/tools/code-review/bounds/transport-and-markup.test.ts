import { edges } from "../edges.ts";

edges("tls-verification-disabled", "a.ts", [
  ["c({ secureOptions: SSL_OP_NO_SSLv3 });", "1"],
  ["c({ secureOptions: SSL_OP_NO_TLSv1 });", "1"],
  ["c({ secureOptions: MY_SSL_OP_NO_SSLv3 });"],
  ["c({ secureOptions: SSL_OP_NO_TLSv1_2 });", "1"],
  ["c({ secureOptions: SSL_OP_NO_SSLv3 | SSL_OP_NO_TLSv1 });"],
  ["c({ secureOptions: SSL_OP_NO_SSLv3, b: SSL_OP_NO_TLSv1 });", "1"],
  ["c({ secureOptions: SSL_OP_NO_SSLv3 }, SSL_OP_NO_TLSv1);", "1"],
  ["c({ secureOptions: a, b: SSL_OP_NO_SSLv3 });"],
  ["c({ secureOptions: SSL_OP_ALL });"],
  ["secureOptions = SSL_OP_NO_SSLv3;"],
  ["options({ checkServerIdentity: (a, b) => { return null; } });", "1"],
  ["options({ checkServerIdentity: (a, b) => { return refuse; } });"],
  ["options({ checkServerIdentity: check });"],
]);

edges("tls-verification-disabled", "A.java", [
  ["class A { public boolean verify(String a, SSLSession b) { return true; } }", "1"],
  ["class A { public boolean verify(String a, SSLSession b) { return false; } }"],
  ["class A { public boolean verify(String a, SSLSession b) { return known(a); } }"],
  ["class A { public boolean verify(String a, Session b) { return true; } }"],
  ["class A { public boolean verify(String a, SSLSession b, int c) { return true; } }"],
  ["class A { public boolean verify(SSLSession b) { return true; } }"],
  ["class A { public boolean verified(String a, SSLSession b) { return true; } }"],
  ["class A { public void checkServerTrusted(X509Certificate[] a, String b) { } }", "1"],
  ["class A { public void checkServerTrusted(X509Certificate[] a, String b) { return; } }", "1"],
  ["class A { public void checkServerTrusted(X509Certificate[] a, String b) { check(a); } }"],
  ["class A { public void checkServerTrusted(X509Certificate[] a, String b) { throw e; } }"],
  ["class A { public void checkClientTrusted(X509Certificate[] a, String b) { } }", "1"],
  ["class A { public X509Certificate[] getAcceptedIssuers() { return null; } }", "1"],
  ["class A { public X509Certificate[] getAcceptedIssuers() { return own; } }"],
  ["class A { public void onReceivedSslError(View a, Handler b, Error c) { b.proceed(); } }", "1"],
  ["class A { public void onReceivedSslError(View a, Handler b, Error c) { b.cancel(); } }"],
  ["class A { public void onReceivedSslError(View a, Handler b, Error c) { } }"],
  [
    "class A {\n  @Override\n  public boolean verify(String a, SSLSession b) {\n    return true;\n  }\n}",
    "2",
  ],
]);

edges("tls-verification-disabled", "A.cs", [
  ["a.ServerCertificateValidationCallback = delegate { return true; };", "1"],
  ["a.ServerCertificateValidationCallback = delegate (object b, int c) { return true; };", "1"],
  ["a.ServerCertificateValidationCallback = delegate { return false; };"],
  ["a.ServerCertificateValidationCallback = delegate { return b(c); };"],
  ["a.ServerCertificateValidationCallback = (b, c) => true;", "1"],
  ["a.ServerCertificateValidationCallback = (b, c) => true && d;"],
  ["a.ServerCertificateValidationCallback = (b, c) => false;"],
  ["a.ServerCertificateValidationCallback = b; c = () => true;"],
]);

edges("unsafe-html", "a.ts", [
  ["let h = '<b>';\nh = h.concat(req.query.a);", "2"],
  ["let h = '<b>';\nh = h.concat('x', req.query.a);", "2"],
  ["let h = '<b>';\nh = h.concat('x');\nf(req.query.a);"],
  ["let h = '<b>';\nh = h.concat;\nf(req.query.a);"],
  ["let h = 'b';\nh = h.concat(req.query.a);"],
  ["let h = '<b>';\nconcat(req.query.a);"],
  ["let h = '<b>';\nh += req.query.a;", "2"],
  ["let h = '<b>';\nh += 'x' + req.query.a;", "2"],
  ["let h = '<b>';\nh += 'x'; f(req.query.a);"],
  ["let h = '<b>';\nh -= req.query.a;"],
  ["let h = 'b';\nh += req.query.a;"],
  ["const l = ['<b>', req.query.a, '</b>'].join('');", "1"],
  ["const l = ['x', '<b>', req.query.a].join('');", "1"],
  ["const l = ['<b>', 'a', '</b>'].join('');"],
  ["const l = ['<b>', req.query.a, '</b>'].map(f);"],
  ["const l = f('<b>', req.query.a).join('');"],
  ["log('<b>' + req.query.a);"],
  ["catalog('<b>' + req.query.a);", "1"],
  ["throw new ParseError('<b>' + req.query.a);"],
  ["it('<b>' + req.query.a);"],
  ["split('<b>' + req.query.a);", "1"],
  ["log(b);\nc('<b>' + req.query.a);", "2"],
]);

edges("sql-injection", "a.scala", [
  ['def f(d: String) = g(sql"SELECT a FROM b WHERE c = $d")'],
  ['def f(d: String) = g(sql"SELECT a FROM b WHERE c = #$d")', "1"],
  ['def f(d: String) = g(s"SELECT a FROM b WHERE c = $d")', "1"],
  ['def f(d: String) = g(mysql"SELECT a FROM b WHERE c = $d")', "1"],
  ['def f(d: String) = {\n  val e = sql\n  "SELECT a FROM b WHERE c = " + d\n}', "3"],
]);

edges("sql-injection", "A.cs", [
  ['void F(string d) { a.FromSql($"SELECT a FROM b WHERE c = {d}"); }'],
  ['void F(string d) { a.ExecuteSqlAsync($"DELETE FROM b WHERE c = {d}"); }'],
  ['void F(string d) { a.FromSqlRaw($"SELECT a FROM b WHERE c = {d}"); }', "1"],
  ['void F(string d) { a.FromSql($"SELECT a FROM b WHERE c = {d}" + d); }', "1"],
  ['void F(string d) { a.FromSql(e, $"SELECT a FROM b WHERE c = {d}"); }', "1"],
]);

edges("sql-injection", "a.ts", [
  ["function f(d) { g(sql`SELECT a FROM b WHERE c = ${d}`); }"],
  ["function f(d) { g(sql<Row>`SELECT a FROM b WHERE c = ${d}`); }"],
  ["function f(d) { g(sql(e)`SELECT a FROM b WHERE c = ${d}`); }"],
  ["function f(d) { g(`SELECT a FROM b WHERE c = ${d}`); }", "1"],
  ["function f(d) { return `SELECT a FROM b WHERE c = ${d}`; }", "1"],
  ["function f(d) { if (e) `SELECT a FROM b WHERE c = ${d}`; }", "1"],
]);
