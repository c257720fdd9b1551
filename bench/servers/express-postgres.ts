import { createHash } from "node:crypto";
import express from "express";
import { Pool } from "pg";

/**
 * A plain implementation of `/track`: Express 5 and `pg`, with one query to look the key up, one to count the window
 * and one to count the use. `DATABASE_URL` names an empty database, `API_KEY` its one key.
 */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const hashOf = (key: string) => createHash("sha256").update(key).digest("hex");
const LIMIT = 1_000_000_000;

await pool.query(`
  CREATE TABLE keys (hash text PRIMARY KEY, account text NOT NULL);
  CREATE TABLE windows (account text, begins bigint, requests bigint NOT NULL, PRIMARY KEY (account, begins));
  CREATE TABLE usage (account text, type text, day date, count bigint NOT NULL, PRIMARY KEY (account, type, day));`);
await pool.query("INSERT INTO keys VALUES ($1, 'account')", [hashOf(process.env.API_KEY ?? "")]);

const app = express();
app.use(express.json());
app.post("/api/v1/track", async (req, res) => {
  const key = (req.get("authorization") ?? "").replace("Bearer ", "");
  const { rows: keys } = await pool.query("SELECT account FROM keys WHERE hash = $1", [hashOf(key)]);
  if (keys.length === 0) return res.status(401).json({ error: "unauthorized" });
  const { account } = keys[0];
  const { rows: windows } = await pool.query(
    `INSERT INTO windows VALUES ($1, $2, 1)
     ON CONFLICT (account, begins) DO UPDATE SET requests = windows.requests + 1 RETURNING requests`,
    [account, Math.floor(Date.now() / 60_000)],
  );
  if (Number(windows[0].requests) > LIMIT) return res.status(429).json({ error: "rate_limit_exceeded" });
  const { rows: uses } = await pool.query(
    `INSERT INTO usage VALUES ($1, $2, CURRENT_DATE, $3)
     ON CONFLICT (account, type, day) DO UPDATE SET count = usage.count + $3 RETURNING count`,
    [account, req.body.type, req.body.count ?? 1],
  );
  return res.json({ type: req.body.type, count: Number(uses[0].count) });
});
const server = app.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }));
});
