/** Whether autoloaders expect a class or module in a file of this path: `Shop.HTMLCart` in `shop/html_cart.rb`. */
export function isNamedAfter(path: string, name: string): boolean {
  const plain = `/${path.replace(/\.rb$/, "")}`.replaceAll("_", "").toLowerCase();
  return plain.endsWith(`/${name.replace(/[.:]/g, "/").replaceAll("_", "").toLowerCase()}`);
}
