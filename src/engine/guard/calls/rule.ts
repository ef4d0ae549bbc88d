import * as z from "zod";
import { english } from "../../base/text/english.ts";
import { cleanText } from "../../base/text/text.ts";
import { guardFamilies } from "../../settings/guard.ts";
import { ruleActions } from "./rule-action.ts";
import { pathKinds } from "./path-kinds.ts";

/**
 * The schema of a guard rule on single calls of tools, for the rules of the catalogue and for those of a `guard.yaml`. Rules are data:
 * everything that they test is said here. Code that judges imports only the types, so that no schema is made for it.
 *
 * In texts with alternatives, `|` separates them, without blanks. Everything that a match gives must be so.
 */

export const ruleId = z
  .string()
  .regex(
    /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/u,
    english("words of small letters with dashes between them, such as no-force-push"),
  )
  .max(100);
const words = z.string().min(1).max(2000);
export const pattern = z
  .string()
  .min(1)
  .max(2000)
  .describe(english("Linear regular expression (RE2), without lookaround."));
const kinds: readonly string[] = pathKinds;
const paths = z
  .string()
  .refine((text) => text.split("|").every((kind) => kinds.includes(kind)), {
    error: english("kinds of paths with | between them; the kinds are {0}", pathKinds.join(", ")),
  })
  .describe(english("Kinds of paths, with | between them."));
const argument = z.strictObject({
  path: paths.optional(),
  notPath: paths.optional(),
  /** Empty for an argument that is. */
  like: z
    .string()
    .max(2000)
    .optional()
    .describe(english("For the whole argument; case counts. A group named path in it is the path.")),
  from: words.optional().describe(english("It is what one of these programs prints.")),
  given: words.optional().describe(english("It contains what one of these programs prints.")),
  givenFile: paths.optional().describe(english("It contains what a program prints of such a file.")),
  givenVariable: pattern.optional().describe(english("It contains a variable of such a name.")),
});

/** On a statement without its comments, with its texts emptied, and with single blanks. */
const statement = z.strictObject({
  /** Matches from the beginning. */
  like: pattern,
  /** Is not found. */
  unlike: pattern.optional(),
});

const places = z.enum(["here", "container", "remote"]);
const commandMatch = z.strictObject({
  program: words.describe(english("Programs without folder and extension, with | between them; * is any.")),
  words: words
    .optional()
    .describe(
      english("The words that its operands begin with, such as push, or remote remove; alternatives by |."),
    ),
  flags: z
    .array(words)
    .max(20)
    .optional()
    .describe(english("Options, of which each entry needs one: -r|-R|--recursive.")),
  without: words.optional().describe(english("Options of which none may be there.")),
  /** Tests the operands after `words`. */
  operand: argument.optional().describe(english("One operand matches.")),
  /** Without operands it does not match. */
  every: argument.optional().describe(english("Every operand matches.")),
  value: argument.extend({ of: words }).optional().describe(english("The value of an option matches.")),
  /** Such as what `mv` moves. Where an option names the target, all are such. */
  source: argument.optional().describe(english("One operand before the last one matches.")),
  /** Such as the target of `cp`. */
  last: argument.optional().describe(english("The last operand matches.")),
  word: argument
    .optional()
    .describe(english("One word matches: an operand, an option or an option's value.")),
  /** The minimum and maximum number of operands after `words`. */
  count: z
    .tuple([z.int().nonnegative(), z.int().nonnegative()])
    .optional()
    .describe(english("Number of operands.")),
  /** `>>` counts unless `truncates`. */
  writes: argument
    .extend({ truncates: z.literal(true).optional() })
    .optional()
    .describe(english("It writes to such a file, by redirecting its output.")),
  from: words.optional().describe(english("It reads the output of one of these programs.")),
  /** As a script, or as the name of a command. */
  runs: words.optional().describe(english("It runs the output of one of these programs.")),
  fromFile: paths.optional().describe(english("Its input is such a file, or what a program prints of it.")),
  notVia: words.optional().describe(english("It is run through none of these wrappers.")),
  /** Piping and redirecting may prevent it. */
  shown: z
    .enum(["whole", "part"])
    .optional()
    .describe(english("Its output is seen by the agent, whole or at least a part.")),
  via: words.optional().describe(english("It is run through one of these wrappers, such as sudo.")),
  place: places.optional().describe(english("It runs there; anywhere unless given.")),
  notPlace: places.optional().describe(english("It does not run there.")),
  notFolder: paths.optional().describe(english("The folder in which it works is of none of these kinds.")),
  /** Tested before `text`, as that is quick. */
  holds: words
    .optional()
    .describe(english("Texts with | between them, of which its words or its input hold one; case counts.")),
  notTesting: z
    .literal(true)
    .optional()
    .describe(english("Not on a database made for tests, by its name or by its environment.")),
  /** As a word, an option's value, or its input. */
  statement: statement.optional().describe(english("One statement of SQL that it is given matches.")),
  /** Its words are joined by blanks. */
  text: pattern.optional().describe(english("Found in its words or its input; case does not count.")),
  notText: pattern.optional().describe(english("Not found in its words nor its input; case does not count.")),
});

/** Matches tools that read or change a file by its path. */
const fileMatch = z.strictObject({
  tool: z.enum(["read", "edit", "read|edit"]),
  path: paths.optional(),
  notPath: paths.optional(),
  like: pattern.optional().describe(english("For the whole path, with forward slashes; case counts.")),
  /** Unless it begins with `(?i)`. */
  content: pattern.optional().describe(english("Found in the text that is written; case counts.")),
  removes: pattern
    .optional()
    .describe(english("Found in the text that an edit takes out, and not in what it writes; case counts.")),
  /** Tested first, as that is quick. */
  holds: words
    .optional()
    .describe(english("Texts with | between them, of which the text that is written holds one.")),
});

/** Told to agents and people within other lines: on one line, however it is written in the file. */
const sentence = z.string().overwrite(cleanText);

export const guardRule = z.strictObject({
  /** Unique. */
  id: ruleId,
  family: z.enum(guardFamilies).default("safety"),
  action: z
    .enum(ruleActions)
    .optional()
    .describe(english("Default: ask for safety and secrets, else advise.")),
  /** The rule fires where one of these matches. */
  match: z
    .array(z.union([commandMatch, fileMatch]))
    .min(1)
    .max(50),
  /** A sentence without the command. */
  message: sentence.min(1).max(300).describe(english("What the call would do.")),
  /** A sentence in the imperative. */
  remedy: sentence.max(300).default("").describe(english("What to do instead.")),
  /** See `example.ts` for how they are written. */
  fires: z.array(z.string().max(2000)).max(50).default([]).describe(english("Calls on which it must fire.")),
  passes: z
    .array(z.string().max(2000))
    .max(50)
    .default([])
    .describe(english("Calls on which it must not fire.")),
});

type Fixed<T> = T extends object ? { readonly [Key in keyof T]: Fixed<T[Key]> } : T;

/** A guard rule on single calls of tools. */
export type GuardRule = Fixed<z.output<typeof guardRule>>;
export type ArgumentTest = Fixed<z.output<typeof argument>>;
export type StatementTest = Fixed<z.output<typeof statement>>;
export type CommandMatch = Fixed<z.output<typeof commandMatch>>;
export type FileMatch = Fixed<z.output<typeof fileMatch>>;
export type Match = CommandMatch | FileMatch;
