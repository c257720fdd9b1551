import { Agent, createServer, request } from "node:http";

/** A minimal proxy in Node: it forwards requests and answers over keep-alive connections. */
const upstream = new URL(process.env.UPSTREAM as string);
const agent = new Agent({ keepAlive: true });
const server = createServer((req, res) => {
  const { method, url: path, headers } = req;
  const onward = request(
    { agent, host: upstream.hostname, port: upstream.port, method, path, headers },
    (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    },
  );
  req.pipe(onward);
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }));
});
