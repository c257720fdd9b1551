// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Scala writes code in strings like that.
import { describe, expect, it } from "vitest";
import { languageOf } from "../../../src/repository/languages/languages.ts";
import { openRepository } from "../../../src/repository/open-repository.ts";
import { directoryWith } from "../directory.ts";

async function edgesOf(files: Record<string, string>): Promise<string[]> {
  const { edges } = await openRepository(directoryWith(files));
  return edges.map(({ from, to }) => `${from} → ${to}`);
}

const read = (...lines: string[]) => {
  const language = languageOf("a.scala");
  if (!language) throw new Error("no language reads a.scala");
  return language.read(lines.join("\n"), "a.scala");
};

describe("the files that a file of Scala leads to", () => {
  const SHOP = {
    "shop/Basket.scala": "package shop\nclass Basket\nobject Basket { val empty = 1 }",
    "shop/cart/Item.scala": "package shop.cart\ncase class Item(n: Int)",
    "shop/cart/Lid.scala": "package shop\npackage cart\n\nsealed trait Lid\ncase object Open extends Lid",
    "shop/cart/package.scala":
      "package shop\npackage object cart { def total(i: Item) = i.n; type Id = Int }",
    "shop/Top.scala":
      "package shop\ndef rate: Int = 1\nextension (b: Basket)\n  def weigh: Int = rate\ngiven rates: Int = 1",
  };
  const OWN = ["shop/Top.scala → shop/Basket.scala", "shop/cart/package.scala → shop/cart/Item.scala"];

  it.each<[name: string, text: string, to: string[]]>([
    ["by name", "import shop.Basket\nimport shop.cart.Item", ["Basket", "cart/Item"]],
    ["several of one package", "import shop.cart.{Item, Lid => L, Open => _}", ["cart/Item", "cart/Lid"]],
    [
      "under other names",
      "import shop.cart as c\nimport c.Item as I\nval i: I = ???",
      ["cart/Item", "cart/package"],
    ],
    ["whole, where names are used", "import shop.cart._\nval i = Item(1)", ["cart/Item"]],
    ["whole, as in Scala 3", "import shop.cart.*\nval i = total(null)", ["cart/package"]],
    ["the members of an object", "import shop.Basket._", ["Basket"]],
    ["given instances", "import shop.Basket.{given, *}", ["Basket"]],
    ["of a package that is imported", "import shop.cart, cart.Item", ["cart/Item", "cart/package"]],
    ["from the root", "import _root_.shop.Basket\nval x = _root_.shop.cart.Item(1)", ["Basket", "cart/Item"]],
    ["an alias of a package's object", "import shop.cart.Id", ["cart/package"]],
    ["a function, an extension and a given", "import shop.{rate, weigh, rates}", ["Top"]],
    ["an extension of a package that is imported whole", "import shop.*\nval x = y.weigh", ["Top"]],
    ["on several lines", "import shop.{\n  Basket, // of goods\n  cart\n}", ["Basket", "cart/package"]],
    ["inside a block", "object A { def f = { import shop.cart.Item; Item(1) } }", ["cart/Item"]],
    ["with the package before the name", "val x = new shop.cart.Item(1)", ["cart/Item"]],
    ["of the packages around", "package shop\npackage cart\nval x: Lid = new Basket", ["Basket", "cart/Lid"]],
    ["of no package that is not a clause", "package shop.cart\nval x = new Basket", []],
    ["of a package with braces", "package shop { package cart { class A(i: Item) } }", ["cart/Item"]],
    [
      "relative to the package",
      "package shop\nval x = cart.Item(1)\nimport cart.Lid",
      ["cart/Item", "cart/Lid"],
    ],
    ["not the type parameters", "package shop\nclass A[Basket, F[_]](b: Basket)", []],
    ["not its own", "package shop\nclass Basket", []],
    ["not by members", "package shop\nval x = y.Basket.rate", []],
    ["in backticks", "package shop\nval x: `Basket` = 1", ["Basket"]],
    ["in strings with code", 'package shop\nval x = s"${Basket.empty + s"$rate ${1}"} {"', ["Basket"]],
  ])("are imported or of its packages: %s", async (_, text, to) => {
    const edges = await edgesOf({ ...SHOP, "Main.scala": text });
    const own = to.map((each) => `Main.scala → shop/${each}.scala`);
    expect(edges).toEqual([...own, ...OWN].sort());
  });

  it("are of Java and Kotlin as well, both ways", async () => {
    expect(
      await edgesOf({
        "src/main/java/shop/Item.java": "package shop; class Item { Basket b = Basket$.MODULE$.empty(); }",
        "src/main/scala/shop/Basket.scala": "package shop\nobject Basket { def empty = new Lid(1) }",
        "src/main/kotlin/shop/Lid.kt": "package shop\nclass Lid(n: Int)",
        "src/main/scala/Main.scala": "import shop.Item\nobject Main",
      }),
    ).toEqual([
      "src/main/java/shop/Item.java → src/main/scala/shop/Basket.scala",
      "src/main/scala/Main.scala → src/main/java/shop/Item.java",
      "src/main/scala/shop/Basket.scala → src/main/kotlin/shop/Lid.kt",
    ]);
  });

  it("are those of each platform, of the file's own if it has one", async () => {
    const platform = "package shop\ntrait Platform";
    expect(
      await edgesOf({
        "core/jvm/src/main/scala/Platform.scala": platform,
        "core/js/src/main/scala/Platform.scala": platform,
        "core/js/src/main/scala/Timer.scala": "package shop\nclass Timer extends Platform",
        "core/shared/src/main/scala/Main.scala": "package shop\nclass Main extends Platform",
      }),
    ).toEqual([
      "core/js/src/main/scala/Timer.scala → core/js/src/main/scala/Platform.scala",
      "core/shared/src/main/scala/Main.scala → core/js/src/main/scala/Platform.scala",
      "core/shared/src/main/scala/Main.scala → core/jvm/src/main/scala/Platform.scala",
    ]);
  });
});

describe("a file of Scala", () => {
  const definedIn = (...lines: string[]) =>
    read(...lines).definitions.map(({ kind, name, from, to }) => `${kind} ${name} ${from}-${to}`);

  it("defines classes, objects and their methods by braces", () => {
    expect(
      definedIn(
        "package shop",
        "sealed abstract class Basket[F[_], A](val n: Int)(implicit F: Monad[F])",
        "    extends Base[F](n) with Lid {",
        "  private[this] val size = { def no = 1; 2 }",
        "  def total[B >: A](",
        "      rate: Double = 1.0",
        "  ): F[Int] =",
        "    F.map(size) {",
        "      case Some(x) => x",
        "    }",
        "  def `sold out`(): Unit = { /* } /* */ */ }",
        "  def +(other: Int) = other",
        "}",
        'object Basket { def empty = """def no() { " } """ }',
        "package object cart {",
        "  val rate = 'x'",
        "  def total = '}'",
        "}",
      ),
    ).toEqual([
      "class Basket 2-13",
      "method Basket.total 5-10",
      "method Basket.sold out 11-11",
      "method Basket.+ 12-12",
      "class Basket 14-14",
      "method Basket.empty 14-14",
      "class cart 15-18",
      "value rate 16-16",
      "function total 17-17",
    ]);
  });

  it("defines them by indentation", () => {
    expect(
      definedIn(
        "package shop",
        "",
        "enum Lid(val n: Int):",
        "  case Open, Shut extends Lid(1)",
        "  case Part(share: Double) extends Lid(2)",
        "  def isOpen = this match",
        "    case Open => true",
        "    case _ => false",
        "",
        "  // about the last",
        "  def last: Int =",
        "    val x = 1; val y = 2",
        "    x + y",
        "  end last",
        "",
        "trait Near:",
        "  def near: Int",
        "",
        "given Ord[Lid] with",
        "  def compare(a: Lid, b: Lid) = 0",
        "extension (lid: Lid)",
        "  def shut: Lid = lid",
        "def top(n: Int) = n",
        "val rate = 1",
        "@main def run() = println(top(1))",
      ),
    ).toEqual([
      "enum Lid 3-14",
      "class Open 4-4",
      "class Shut 4-4",
      "class Part 5-5",
      "method Lid.isOpen 6-8",
      "method Lid.last 11-14",
      "interface Near 16-17",
      "method Near.near 17-17",
      "function shut 22-22",
      "function top 23-23",
      "value rate 24-24",
      "function run 25-25",
    ]);
  });

  it.each([
    ["a string", '"Ghost \\" Ghost ${Ghost} {"'],
    ["a string with code", 's"Ghost $$ \\" ${b + "Ghost }"} Ghost"'],
    ["a string with quotes", 's"Ghost $" Ghost"'],
    ["a string of several lines", '"""Ghost " \\\n Ghost ${Ghost}"""'],
    ["a string of several lines with code", 'f"""Ghost " ${b("""}""")} \n Ghost""""'],
    ["characters", "'\"' + '\\'' + '\\u0022'"],
    ["a comment in a comment", "1 /* Ghost /* Ghost */ Ghost */"],
  ])("has no names of %s, and goes on after it", (_, literal) => {
    const { uses } = read(`val x = ${literal}; val y = Basket()`);
    expect(uses).toContain("Basket");
    expect(uses).not.toContain("Ghost");
  });
});
