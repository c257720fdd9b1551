import * as z from "zod";
import { CATEGORIES, ECOSYSTEMS } from "../categories.ts";
import { ROLES } from "../signatures/signature.ts";
import { KINDS } from "../suggestions/suggestion.ts";

const id = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/)
  .describe("Its name, unique among all files. Outcomes are kept under it, so it does not change.");

const signature = z
  .strictObject({
    id,
    role: z
      .enum(ROLES)
      .describe(
        "How near to the reason the line is: cause, the reason itself; wrapper, a tool that says its part failed; symptom, a word of failure without a reason; exit, the news that something ended.",
      ),
    category: z
      .enum(CATEGORIES)
      .optional()
      .describe("What kind of failure; left out where the line does not say."),
    weight: z
      .int()
      .min(1)
      .max(99)
      .optional()
      .describe("The heaviest line of a log is its cause. 90 for a cause, 66, 42 and 30 unless said."),
    survivable: z
      .literal(true)
      .optional()
      .describe("Programs print it and go on: only what follows shows whether it mattered."),
    ignoreCase: z.literal(true).optional(),
    pattern: z
      .union([z.string().min(3), z.array(z.string().min(3)).min(2)])
      .describe(
        "A regular expression (ECMAScript), or alternatives of it, a line each, of the line without colours and time stamps. Its named groups fill in the commands of suggestions: module, package, file, command, version, test, host, port, message (what the line says, if that is not all of it). Any match must hold a literal of three letters.",
      ),
    examples: z
      .array(z.string().min(3))
      .min(1)
      .describe("Lines of a log that it recognises before any other signature does. Made up, not copied."),
  })
  .describe("A line of a log that tells of a failure, recognised by its form.");

const suggestion = z
  .strictObject({
    id,
    kind: z.enum(KINDS),
    title: z
      .string()
      .min(5)
      .describe(
        "What to do, as an imperative. May hold names as `command` does; where one is missing, the suggestion is not given.",
      ),
    rationale: z.string().min(20).describe("Why it may help."),
    command: z
      .string()
      .optional()
      .describe(
        "What to run. {name} stands for what the log says (a signature's named group, file, line, place, code, message, path, missing) or the project's tools (add, install, ci, run, exec, lock, runner). Where that is missing, or the command calls a tool that the log does not show, a suggestion for `signatures` comes without it, one for `categories` not at all.",
      ),
    signatures: z.array(id).min(1).optional().describe("The lines that it fits, which counts most."),
    categories: z
      .array(z.enum(CATEGORIES))
      .min(1)
      .optional()
      .describe(
        "The kinds of failure that it fits; where it names nothing that the log names, only for want of better.",
      ),
    example: z
      .strictObject({
        run: z.string().optional().describe("The command whose log it is; only where the log needs it."),
        log: z.string().min(3),
        gives: z.string().optional().describe("The command with its names filled in."),
      })
      .describe("A log for which it is suggested. Made up, not copied."),
  })
  .describe("Something to try. It fits a failure by its signature or its category.");

/**
 * Schema of the data files. `npm run docs` writes it to failures.schema.json, with which editors check and
 * explain them.
 */
export const failuresSchema = z
  .strictObject({
    $schema: z.string(),
    about: z.string().describe("Whose failures these are."),
    ecosystem: z
      .enum(ECOSYSTEMS)
      .optional()
      .describe("Left out where tools of several ecosystems write such lines."),
    signatures: z.array(signature).optional(),
    suggestions: z.array(suggestion).optional(),
  })
  .describe("How the failures of one ecosystem look in a log, and what may mend them.");

export type FailuresFile = z.infer<typeof failuresSchema>;
export type SignatureEntry = z.infer<typeof signature>;
