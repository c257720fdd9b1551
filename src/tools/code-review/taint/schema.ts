import * as z from "zod";
import { VARIANTS } from "../finding.ts";
import { LEVEL } from "../flow/level.ts";
import { TARGETS } from "../flow/target.ts";
import { LANGUAGES } from "../language/language.ts";

const expression = z.string().min(2).describe("A regular expression (ECMAScript).");
const names = z
  .array(z.string().regex(/^[\w$?!]+$/))
  .min(1)
  .describe("The last word of the call.");
const path = expression.describe(
  "A regular expression (ECMAScript) of the call's whole path as it stands after imports are resolved: names with dots between them, () for what is called, [] for what is indexed, as in getRuntime().exec.",
);
const example = z
  .string()
  .min(1)
  .describe("Code in which the rule reports this call and no entry before it does. Made up, not copied.");

const source = z
  .strictObject({
    path: expression.describe(
      "A regular expression (ECMAScript) of a dotted path, with () for what is called and [] for what is indexed.",
    ),
    local: z
      .literal(true)
      .optional()
      .describe("Said by whoever runs the program: files that it names are their own."),
    example: z.string().min(1).describe("An expression that it recognises."),
  })
  .describe("What holds something that a client sent.");

/** Fields that select the calls of an entry. */
const called = {
  names,
  path: path.optional(),
  ignoreCase: z.literal(true).optional().describe("Of the path."),
  assigned: z
    .literal(true)
    .optional()
    .describe("A member that gets a value, as in label.Text = value, instead of a call."),
  unless: expression
    .optional()
    .describe("Of the call's arguments, parted by blanks: what makes it harmless."),
  onlyWith: expression.optional().describe("Of the arguments too: what makes it dangerous."),
  always: z
    .literal(true)
    .optional()
    .describe("Reported even with a fixed argument, since the call itself is the fault."),
  variant: z
    .enum(VARIANTS)
    .optional()
    .describe("A flaw of the rule's kind with a name and a CWE of its own."),
  says: z
    .string()
    .regex(/\.$/)
    .optional()
    .describe("What is said of it, a sentence, where the rule's own words would not fit."),
  example,
};

const sink = z
  .strictObject({
    ...called,
    argument: z
      .union([z.int().min(0).max(9), z.enum(["any", "address"])])
      .optional()
      .describe(
        "Which argument; the first, 0, unless said. The address is the one of such a name, url or host, or else the first that is no method or status.",
      ),
    option: z
      .string()
      .regex(/^\w+$/)
      .optional()
      .describe("The name of the argument, in place of its number."),
    atLeast: z
      .enum(Object.keys(LEVEL) as [keyof typeof LEVEL, ...(keyof typeof LEVEL)[]])
      .exclude(["literal", "commandLine"])
      .describe(
        "From here on it is reported: unknown, any value that is not fixed; parameter, what the function is called with; request, what a client sends or the command line gives.",
      ),
  })
  .describe("A call that must not get what others control.");

const reader = z.strictObject(called).describe("A call that makes whatever object a text describes.");

const sinks = z.array(sink).min(1).optional();

/** Schema of a language's data file. `npm run docs` writes it to taint.schema.json, for validation in editors. */
export const taintSchema = z
  .strictObject({
    $schema: z.string(),
    language: z.enum(LANGUAGES),
    sources: z.array(source),
    pure: z
      .array(z.string().regex(/^\w+$/))
      .min(1)
      .optional()
      .describe("Functions of the language that give nothing but what they are given, in another form."),
    sinks: z
      .strictObject({
        "command-injection": sinks,
        "code-evaluation": sinks,
        "sql-injection": sinks,
        "unsafe-html": sinks,
        "path-traversal": sinks,
        "unsafe-deserialization": z.array(reader).min(1).optional(),
      })
      .optional()
      .describe("By the rule that reports them."),
  })
  .describe("Where what others control comes from in one language, and where it must not go.");

const words = z.array(z.string().regex(/^[\w$]+$/)).min(1);
const like = z.strictObject({ like: z.string().min(2), example: z.string() });
const targets = z
  .array(z.enum(TARGETS))
  .min(1)
  .optional()
  .describe("What the text is harmless as; as anything unless said.");

/** Schema of every-language.json, which `npm run docs` writes likewise. */
export const everyLanguageSchema = z
  .strictObject({
    $schema: z.string(),
    about: z.string(),
    requestTypes: words.describe(
      "Annotations and types of a parameter that a framework fills from a request: @Query(), [FromBody], web::Json.",
    ),
    routes: words.describe(
      "Decorators, in Python, of a function whose parameters come from a request: @app.route.",
    ),
    objects: z
      .array(z.strictObject({ type: z.string().regex(/^\w+$/), as: z.string().regex(/^[\w$]+$/) }))
      .min(1)
      .describe("Types of parameters, and the name under which sources and sinks speak of such an object."),
    pureModules: z
      .array(z.string().regex(/^[\w.]+$/))
      .min(1)
      .describe("Imported modules whose functions give nothing but what they are given, in another form."),
    sqlExecutors: words.describe("Calls that run the statement they are given."),
    sanitizers: z.strictObject({
      harmlessCalls: words.describe("Calls whose result cannot carry what was put in."),
      lookupCalls: words.describe("Calls that give what is kept under a value, and nothing of the value."),
      contentCalls: z
        .array(z.string().regex(/^[\w.()]+$/))
        .min(1)
        .describe(
          "Calls, by the end of their paths, that give what a file holds or a program or a server answers, and nothing of the value that names it.",
        ),
      harmlessMembers: words.describe("Members that are numbers or yes and no, whatever they belong to."),
      harmlessTypes: words.describe(
        "Types whose values are numbers, instants or yes and no, by the last word of their names.",
      ),
      cleaningCalls: z
        .array(like.extend({ for: targets }))
        .min(1)
        .describe(
          "Regular expressions, in any letter case, of a part of a call's name that says it makes text harmless for where it goes.",
        ),
      toldToClean: z
        .array(
          z.strictObject({
            call: z.string().regex(/^\w+$/),
            argument: expression.describe("A regular expression (ECMAScript) of a word among the arguments."),
            for: targets,
            example: z.string(),
          }),
        )
        .min(1)
        .describe("Calls that make text harmless where one of their arguments, not the first, says so."),
      dirtyingCalls: z
        .array(like)
        .min(1)
        .describe("The same for names that sound so and do not, which counts more."),
      modules: z
        .array(
          z.strictObject({ name: z.string().regex(/^[\w.]+$/), for: z.array(z.enum(TARGETS)).optional() }),
        )
        .min(1)
        .describe(
          "Modules, types and functions, by the end of their paths, that make text harmless whatever the last word says; for nothing at all, [], where it says too much.",
        ),
    }),
  })
  .describe("What the words of calls and types say, whatever the language.");

export type TaintFile = z.infer<typeof taintSchema>;
export type EveryLanguageFile = z.infer<typeof everyLanguageSchema>;
export type SinkEntry = z.infer<typeof sink>;
export type ReaderEntry = z.infer<typeof reader>;
export type SinkRule = Exclude<keyof NonNullable<TaintFile["sinks"]>, "unsafe-deserialization">;
