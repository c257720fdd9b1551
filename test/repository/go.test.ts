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

  const edgesOf = async (files: Record<string, string>) => {
    const { edges } = await openRepository(
      directoryWith({ "go.mod": "module example.org/shop\n", ...files }),
    );
    return edges.map(({ from, to }) => `${from} → ${to}`);
  };

  it("lead to the files of methods that stand apart from their type, by the methods that are used", async () => {
    expect(
      await edgesOf({
        "main.go":
          'package main\n\nimport "example.org/shop/order"\n\nfunc main() { order.New().\n\tLines().Print() }\n',
        "order/order.go":
          "package order\n\ntype Order struct{}\n\nfunc New() *Order { return &Order{} }\nfunc (o *Order) Total() int { return o.sum() }\n",
        "order/lines.go": "package order\n\nfunc (o *Order) Lines() *Order { return o }\n",
        "order/print.go": "package order\n\nfunc (o *Order) Print() {}\n",
        "order/sum.go": "package order\n\nfunc (o *Order) sum() int { return 0 }\n",
        "order/unused.go": "package order\n\nfunc (o *Order) Unused() {}\n",
        "order/order_test.go": "package order\n\nfunc TestSum(t *testing.T) { (&Order{}).sum() }\n",
      }),
    ).toEqual([
      "main.go → order/lines.go",
      "main.go → order/order.go",
      "main.go → order/print.go",
      "order/lines.go → order/order.go",
      "order/order.go → order/sum.go",
      "order/order_test.go → order/order.go",
      "order/order_test.go → order/sum.go",
      "order/print.go → order/order.go",
      "order/sum.go → order/order.go",
      "order/unused.go → order/order.go",
    ]);
  });

  it("follow variadic parameters, and each of several names that one line declares", async () => {
    expect(
      await edgesOf({
        "main.go":
          'package main\n\nimport "example.org/shop/order"\n\nfunc all(lines ...order.Line) { use(second, fourth) }\nfunc own(options ...option) {}\n',
        "options.go": "package main\n\ntype option struct{}\n",
        "values.go": "package main\n\nvar first, second = make(\n\town, all,\n)\n",
        "more.go": "package main\n\nvar (\n\tthird, fourth = pair(\n\t\toption,\n\t)\n)\n",
        "order/line.go": "package order\n\ntype Line struct{}\n",
        "order/other.go": "package order\n\ntype Other struct{}\n",
      }),
    ).toEqual([
      "main.go → more.go",
      "main.go → options.go",
      "main.go → order/line.go",
      "main.go → values.go",
      "more.go → options.go",
      "values.go → main.go",
    ]);
  });

  it("show an outer test what the package's own test files export for it", async () => {
    expect(
      await edgesOf({
        "order/order.go": "package order\n\nvar secret = 1\n",
        "order/export_test.go": "package order\n\nvar Secret = secret\n",
        "order/order_test.go":
          'package order_test\n\nimport "example.org/shop/order"\n\nvar _ = order.Secret\n',
        "main.go": 'package main\n\nimport "example.org/shop/order"\n\nvar _ = order.Secret\n',
      }),
    ).toEqual([
      "main.go → order/order.go",
      "order/export_test.go → order/order.go",
      "order/order_test.go → order/export_test.go",
    ]);
  });
});
