import { createServer } from "node:http";

/** A minimal MCP server: it reads a JSON-RPC request and answers it. */
const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on("data", (chunk) => chunks.push(chunk));
  req.on("end", () => {
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
    const result =
      method === "tools/list"
        ? { tools: [{ name: "echo", inputSchema: { type: "object" } }] }
        : { content: [{ type: "text", text: "hello" }] };
    const answer = JSON.stringify({ jsonrpc: "2.0", id, result });
    res.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(answer) });
    res.end(answer);
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }));
});
