import { inAnyScript } from "../any-script.ts";

/** What ends the name of a variable, and the value and the size that follow it. */
const VALUE = /=(?!=)[\s\S]*|\{[\s\S]*/;
const SIZE = /\[[^[\]]*\]|__attribute__[\s\S]*/g;
const TYPE_ARGUMENTS = /<[^<>]*>/g;
const WORD = inAnyScript(/[A-Za-z_]\w*/g);
/** The name of a variable, with the class that it is of: `int Store::count`. */
const NAME = inAnyScript(/(?:([A-Za-z_]\w*)\s*::\s*)?([A-Za-z_]\w*)\s*$/);
const NO_VARIABLE =
  /^\s*(?:typedef|using|friend|static_assert|_Static_assert|return|goto|namespace|template|import|module|export|break|continue|case|public|private|protected)\b/;
/** Words before a name that are not its type. */
const NO_TYPE =
  /^(?:extern|static|const|volatile|register|inline|constexpr|constinit|thread_local|_Thread_local|__thread|struct|union|class|enum|typename)$/;

/** Returns the variables of a statement outside all functions and classes, and whether the word is before them that says more. */
export function variablesIn(statement: string): {
  names: string[];
  reach: "extern" | "static" | undefined;
} {
  const reach = /\b(?:extern|static)\b/.exec(statement.replace(VALUE, ""))?.[0] as
    | "extern"
    | "static"
    | undefined;
  if (NO_VARIABLE.test(statement)) return { names: [], reach };
  const [first = "", ...others] = statement
    .replace(VALUE, "")
    .replace(TYPE_ARGUMENTS, " ")
    .replace(SIZE, " ")
    .split(",");
  const words = first.match(WORD) ?? [];
  const isTyped = words.slice(0, -1).some((word) => !NO_TYPE.test(word));
  // What follows a value in a list of variables is not read.
  return { names: isTyped ? [first, ...others].flatMap((each) => nameOf(each) ?? []) : [], reach };
}

function nameOf(declarator: string): string | undefined {
  const [, holder, name] = NAME.exec(declarator) ?? [];
  return holder === undefined ? name : `${holder}.${name}`;
}
