import { inAnyScript } from "../any-script.ts";
import type { Layout } from "../layout.ts";
import { classNamed, lowered, memberNamed, type Scope, scopeAt } from "./names.ts";

const NAME = inAnyScript(/(?<![\w\\$])\\?[A-Za-z_]\w*(?:\\[A-Za-z_]\w*)*/g);
/** Keywords and types of the language, which no file declares. */
const RESERVED =
  /^(?:abstract|and|array|as|bool|break|callable|case|catch|class|clone|const|continue|declare|default|die|do|echo|else|elseif|empty|enddeclare|endfor|endforeach|endif|endswitch|endwhile|enum|eval|exit|extends|false|final|finally|float|fn|for|foreach|function|global|goto|if|implements|include|include_once|instanceof|insteadof|int|interface|isset|iterable|list|match|mixed|namespace|never|new|null|object|or|parent|php|print|private|protected|public|readonly|require|require_once|return|self|static|string|switch|throw|trait|true|try|unset|use|var|void|while|xor|yield|__DIR__|__FILE__|__CLASS__|__LINE__|__FUNCTION__|__METHOD__|__NAMESPACE__)$/i;
const DECLARES = /^(?:function|const|class|interface|trait|enum|goto|as|insteadof)$/i;
const CONSTANT = /^[A-Z][A-Z\d_]*$/;

/**
 * Returns the full names of the classes, functions (`shop.total()`) and constants (`shop.LIMIT#`) that a file uses. A file of
 * PHP alone says what its names mean.
 */
export function phpUses(layout: Layout, scopes: readonly Scope[]): string[] {
  const { code } = layout;
  const uses = new Set<string>();
  const scopeOf = scopeAt(scopes);
  let before = "";
  let end = 0;
  let attributesEnd = 0;
  for (const { index, 0: name } of code.matchAll(NAME)) {
    const between = code.slice(end, index).trim();
    const previous = between === "" || between === "&" ? before : "";
    before = name;
    end = index + name.length;
    if (between.endsWith("#["))
      attributesEnd = Math.max(attributesEnd, layout.closing(code.lastIndexOf("[", index)));
    if (between.endsWith("->") || between.endsWith("::") || RESERVED.test(name) || DECLARES.test(previous))
      continue;
    const own = scopeOf(index);
    const follows = code.slice(end, end + 20).trimStart();
    const isAttribute = index < attributesEnd && /[[,]$/.test(between);
    if (follows.startsWith("(") && !isAttribute && previous.toLowerCase() !== "new") {
      uses.add(`${memberNamed(lowered(name), own, own.functions)}()`);
      continue;
    }
    if (/^:(?!:)/.test(follows) && /[(,]$/.test(between)) continue;
    if (previous.toLowerCase() === "case" && /^[;=]/.test(follows)) continue;
    uses.add(classNamed(name, own));
    const last = name.slice(name.lastIndexOf("\\") + 1);
    if (CONSTANT.test(last) && !follows.startsWith("::"))
      uses.add(`${memberNamed(name, own, own.constants)}#`);
  }
  return [...uses];
}
