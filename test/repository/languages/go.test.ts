import { describe, expect, it } from "vitest";
import { openRepository } from "../../../src/repository/open-repository.ts";
import { directoryWith } from "../directory.ts";

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

  it("lead to methods of packages that only a neighbour imports, by names of several words", async () => {
    expect(
      await edgesOf({
        "web/handler.go":
          'package web\n\nimport "example.org/shop/store"\n\ntype handler struct{ store *store.Store }\n',
        "web/list.go": "package web\n\nfunc (h *handler) list() { h.store.ListOrders(); h.store.Close() }\n",
        "web/web_test.go": 'package web\n\nimport "example.org/shop/mail"\n\nvar _ mail.Post\n',
        "mail/mail.go": "package mail\n\ntype Post struct{}\n",
        "mail/list.go": "package mail\n\nfunc (p Post) ListOrders() {}\n",
        "store/store.go": "package store\n\ntype Store struct{}\n",
        "store/list.go": "package store\n\nfunc (s *Store) ListOrders() {}\n",
        "store/close.go": "package store\n\nfunc (s *Store) Close() {}\n",
      }),
    ).toEqual([
      "mail/list.go → mail/mail.go",
      "store/close.go → store/store.go",
      "store/list.go → store/store.go",
      "web/handler.go → store/store.go",
      "web/list.go → store/list.go",
      "web/list.go → web/handler.go",
      "web/web_test.go → mail/mail.go",
    ]);
  });

  it("tell a variable from the package that it hides, and follow imports into the file's own names", async () => {
    expect(
      await edgesOf({
        "main.go":
          'package main\n\nimport (\n\t. "example.org/shop/mail"\n\t"example.org/shop/store"\n)\n\nfunc main() { store := store.New(); store.Close(); Send() }\n',
        "mail/send.go": "package mail\n\nfunc Send() {}\n",
        "mail/other.go": "package mail\n\nfunc Other() {}\n",
        "store/store.go": "package store\n\ntype Store struct{}\n\nfunc New() Store { return Store{} }\n",
        "store/close.go": "package store\n\nfunc (s Store) Close() {}\n",
      }),
    ).toEqual([
      "main.go → mail/send.go",
      "main.go → store/close.go",
      "main.go → store/store.go",
      "store/close.go → store/store.go",
    ]);
  });
});
