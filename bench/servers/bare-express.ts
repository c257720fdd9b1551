import express from "express";

/** Express 5 as its guide shows it: `express.json()` and a route that echoes the body. */
const app = express();
app.use(express.json());
app.post("/api/v1/track", (req, res) => {
  res.json(req.body);
});
app.get("/api/v1/entitlements/resolve", (_req, res) => {
  res.json({ plan: "team", tier: "team", features: ["agents.technical", "skills.basic"] });
});
const server = app.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }));
});
