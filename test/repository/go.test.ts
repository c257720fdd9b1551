import { describe, expect, it } from "vitest";
import { openRepository } from "../../src/repository/repository.ts";
import { directoryWith } from "./directory.ts";

describe("Go packages", () => {
  it("are found in generated files and in files that are too large to be read", async () => {
    const directory = directoryWith({
      "go.mod": "module example.org/shop\n",
      "main.go":
        'package main\n\nimport (\n\t"example.org/shop/order"\n\t"example.org/shop/table"\n)\n\nvar o order.Order\nvar t table.Row\n',
      "order/order.pb.go":
        'package order\n\nimport "example.org/shop/money"\n\ntype Order struct{ m money.Money }\n',
      "order/lines.pb.go": "package order\n\ntype Line struct{}\n",
      "money/money.go": "package money\n\ntype Money int\n",
      "table/rows.go": `package table\n\ntype Row struct{}\n${"\n".repeat(1 << 20)}`,
    });
    const { edges, missing, leftOut, files } = await openRepository(directory);
    expect(missing).toEqual([]);
    expect(edges.map(({ from, to }) => `${from} → ${to}`)).toEqual([
      "main.go → order/order.pb.go",
      "main.go → table/rows.go",
      "order/order.pb.go → money/money.go",
    ]);
    expect([leftOut.generated, leftOut.large]).toEqual([
      ["order/lines.pb.go", "order/order.pb.go"],
      ["table/rows.go"],
    ]);
    expect([...files.keys()]).toEqual(["go.mod", "main.go", "money/money.go"]);
  });
});
