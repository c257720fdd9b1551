import { expect, it } from "vitest";
import { findingsIn } from "./cases.ts";

const rulesIn = (path: string, text: string) => findingsIn(path, text).map(({ rule }) => rule);

it.each([
  ["api.pb.go", "// TODO: what must happen after the period?\nvar a = 1"],
  ["api_grpc.pb.go", "// FIXME: name it"],
  ["api.pb.gw.go", "// FIXME: name it"],
  ["shop_pb2.py", "# TODO: name it"],
  ["shop_pb2_grpc.py", "# TODO: name it"],
  ["shop_pb.js", "// TODO: name it\nif (this.getTypeName() == name) {}"],
  ["shop_grpc_pb.js", "// TODO: name it"],
  ["shop_pb.d.ts", "// TODO: name it"],
  ["shop_services_pb.rb", "# TODO: name it"],
  ["shop.pb.cc", "// TODO: name it"],
  ["shop.pb.h", "// TODO: name it"],
  ["chart.min.js", "if(t==e)console.log(t)"],
  ["zz_generated.deepcopy.go", "// TODO: name it"],
])("code that generators wrote is not asked for its notes and its style: %s", (path, text) => {
  expect(rulesIn(`src/${path}`, text)).toEqual([]);
});

it("code that generators wrote is read for secrets and for what harms", () => {
  expect(rulesIn("src/shop_pb2.py", "os.system('ls ' + request.args['x'])")).toEqual(["command-injection"]);
});

it("code that generators wrote is read for conflicts", () => {
  const conflict = "<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> main";
  expect(rulesIn("src/shop_pb2.py", conflict)).toContain("merge-conflict-marker");
});

it("the key of an element of React need not be hard to guess", () => {
  const severities = (code: string) => findingsIn("a.tsx", code).map(({ severity }) => severity);
  expect(severities("<Item key={child.key || Math.random()} />")).toEqual(["info"]);
  expect(severities("const key = Math.random();")).toEqual(["warning"]);
});
