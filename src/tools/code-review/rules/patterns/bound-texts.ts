import { HOLE_OPEN, TEMPLATE_OPEN } from "../../lexer/token.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { TextExpression } from "../../syntax/text-expression.ts";

/** Methods of Entity Framework that turn the holes of an interpolated text into parameters. */
const INTERPOLATED = /^(?:FromSql|FromSqlInterpolated|ExecuteSql|ExecuteSqlInterpolated|SqlQuery)(?:Async)?$/;
/** Interpolators of Scala that bind their holes as parameters. */
const BINDING = /^(?:sql|sqlu|fr|fr0|SQL|cql)$/;

/** Whether a hole is spliced: `#$name` of Slick and Anorm puts a value into the statement without binding it. */
function isSpliced(fragment: Fragment, from: number, to: number): boolean {
  for (let index = from + 1; index < to; index++) {
    if (fragment.text(index) === HOLE_OPEN && fragment.text(index - 1).endsWith("#")) return true;
  }
  return false;
}

/** Whether the holes of a text are passed as parameters: sql`…`, FromSql($"…"). */
export function isBound(
  fragment: Fragment,
  { at, from, to }: Pick<TextExpression, "at" | "from" | "to">,
): boolean {
  if (fragment.language === "csharp" && from === at && fragment.text(at - 1) === "(") {
    return (
      fragment.text(at) === TEMPLATE_OPEN &&
      to === (fragment.tokens[at]?.partner ?? 0) + 1 &&
      INTERPOLATED.test(fragment.callAround(at)?.name ?? "")
    );
  }
  if (fragment.language === "java" && BINDING.test(fragment.text(at - 1))) {
    const quote = fragment.tokens[at];
    const isOwn = quote !== undefined && fragment.lineOf(at - 1) === quote.line;
    return isOwn && !isSpliced(fragment, from, to);
  }
  if (fragment.language !== "javascript" || fragment.text(at) !== TEMPLATE_OPEN) return false;
  const before = fragment.tokens[at - 1];
  if (before?.kind === "word") return before.end === (fragment.tokens[at]?.end ?? 0) - 1;
  // The types of `$queryRaw<Row[]>`…``, `$queryRaw<Array<Row>>`…``.
  return (
    /^>+$/.test(before?.text ?? "") ||
    (before?.text === ")" && before.end === (fragment.tokens[at]?.end ?? 0) - 1)
  );
}
