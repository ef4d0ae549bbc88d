import * as z from "zod/mini";
import { english } from "../../base/text/english.ts";
import { cleanText } from "../../base/text/text.ts";
import { guardFamilies } from "../../settings/guard.ts";
import { ruleActions } from "./rule-action.ts";
import { pathKinds } from "./path-kinds.ts";

/**
 * The schema of a guard rule on single calls of tools, for the rules of the catalogue and for those of a `guard.yaml`. Rules are data:
 * this schema has everything that they test. Code that judges imports only the types, so that no schema is made for it.
 *
 * In texts with alternatives, `|` separates them, without blanks. Everything that a match gives must be so.
 */

export const ruleId = z
  .string()
  .check(
    z.regex(
      /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/u,
      english("words of small letters with dashes between them, such as no-force-push"),
    ),
    z.maxLength(100),
  );
const words = z.string().check(z.minLength(1), z.maxLength(2000));
export const pattern = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(2000),
    z.describe(english("Linear regular expression (RE2), without lookaround.")),
  );
const kinds: readonly string[] = pathKinds;
const paths = z.string().check(
  z.refine((text) => text.split("|").every((kind) => kinds.includes(kind)), {
    error: english("kinds of paths with | between them; the kinds are {0}", pathKinds.join(", ")),
  }),
  z.describe(english("Kinds of paths, with | between them.")),
);
const argument = z.strictObject({
  path: z.optional(paths),
  notPath: z.optional(paths),
  /** Empty for an argument that is. */
  like: z
    .optional(z.string().check(z.maxLength(2000)))
    .check(z.describe(english("For the whole argument; case counts. A group named path in it is the path."))),
  from: z.optional(words).check(z.describe(english("It is what one of these programs prints."))),
  given: z.optional(words).check(z.describe(english("It contains what one of these programs prints."))),
  givenFile: z
    .optional(paths)
    .check(z.describe(english("It contains what a program prints of such a file."))),
  givenVariable: z.optional(pattern).check(z.describe(english("It contains a variable of such a name."))),
});

/** On a statement without its comments, with its texts emptied, and with single blanks. */
const statement = z.strictObject({
  /** Matches from the beginning. */
  like: pattern,
  /** Is not found. */
  unlike: z.optional(pattern),
});

const places = z.enum(["here", "container", "remote"]);
const commandMatch = z.strictObject({
  program: words.check(
    z.describe(english("Programs without folder and extension, with | between them; * is any.")),
  ),
  words: z
    .optional(words)
    .check(
      z.describe(
        english("The words that its operands begin with, such as push, or remote remove; alternatives by |."),
      ),
    ),
  flags: z
    .optional(z.array(words).check(z.maxLength(20)))
    .check(z.describe(english("Options, of which each entry needs one: -r|-R|--recursive."))),
  without: z.optional(words).check(z.describe(english("Options of which none may be there."))),
  /** Tests the operands after `words`. */
  operand: z.optional(argument).check(z.describe(english("One operand matches."))),
  /** Without operands it does not match. */
  every: z.optional(argument).check(z.describe(english("Every operand matches."))),
  value: z
    .optional(z.extend(argument, { of: words }))
    .check(z.describe(english("The value of an option matches."))),
  /** Such as the files that `mv` moves: all operands if an option names the target. */
  source: z.optional(argument).check(z.describe(english("One operand before the last one matches."))),
  /** Such as the target of `cp`. */
  last: z.optional(argument).check(z.describe(english("The last operand matches."))),
  word: z
    .optional(argument)
    .check(z.describe(english("One word matches: an operand, an option or an option's value."))),
  /** The minimum and maximum number of operands after `words`. */
  count: z
    .optional(z.tuple([z.int().check(z.nonnegative()), z.int().check(z.nonnegative())]))
    .check(z.describe(english("Number of operands."))),
  /** `>>` counts unless `truncates`. */
  writes: z
    .optional(z.extend(argument, { truncates: z.optional(z.literal(true)) }))
    .check(z.describe(english("It writes to such a file, by redirecting its output."))),
  from: z.optional(words).check(z.describe(english("It reads the output of one of these programs."))),
  /** As a script, or as the name of a command. */
  runs: z.optional(words).check(z.describe(english("It runs the output of one of these programs."))),
  fromFile: z
    .optional(paths)
    .check(z.describe(english("Its input is such a file, or what a program prints of it."))),
  notVia: z.optional(words).check(z.describe(english("It is run through none of these wrappers."))),
  /** Piping and redirecting may prevent it. */
  shown: z
    .optional(z.enum(["whole", "part"]))
    .check(z.describe(english("Its output is seen by the agent, whole or at least a part."))),
  via: z.optional(words).check(z.describe(english("It is run through one of these wrappers, such as sudo."))),
  place: z.optional(places).check(z.describe(english("It runs there; anywhere unless given."))),
  notPlace: z.optional(places).check(z.describe(english("It does not run there."))),
  notFolder: z
    .optional(paths)
    .check(z.describe(english("The folder in which it works is of none of these kinds."))),
  /** By the table of services. */
  sendsTokenElsewhere: z
    .optional(z.literal(true))
    .check(z.describe(english("Its words hold a well-known service's token, and only addresses of others."))),
  /** Tested before `text`, as that is quick. */
  holds: z
    .optional(words)
    .check(
      z.describe(
        english("Texts with | between them, of which its words or its input hold one; case counts."),
      ),
    ),
  notTesting: z
    .optional(z.literal(true))
    .check(z.describe(english("Not on a database made for tests, by its name or by its environment."))),
  /** As a word, an option's value, or its input. */
  statement: z
    .optional(statement)
    .check(z.describe(english("One statement of SQL that it is given matches."))),
  /** Its words are joined by blanks. */
  text: z
    .optional(pattern)
    .check(z.describe(english("Found in its words or its input; case does not count."))),
  notText: z
    .optional(pattern)
    .check(z.describe(english("Not found in its words nor its input; case does not count."))),
});

/** Matches tools that read or change a file by its path. */
const fileMatch = z.strictObject({
  tool: z.enum(["read", "edit", "read|edit"]),
  path: z.optional(paths),
  notPath: z.optional(paths),
  like: z
    .optional(pattern)
    .check(z.describe(english("For the whole path, with forward slashes; case counts."))),
  /** Unless it begins with `(?i)`. */
  content: z.optional(pattern).check(z.describe(english("Found in the text that is written; case counts."))),
  removes: z
    .optional(pattern)
    .check(
      z.describe(
        english("Found in the text that an edit takes out, and not in what it writes; case counts."),
      ),
    ),
  /** Tested first, as that is quick. */
  holds: z
    .optional(words)
    .check(z.describe(english("Texts with | between them, of which the text that is written holds one."))),
});

/** A sentence is shown within other lines, so it is put on one line. */
const sentence = z.string().check(z.overwrite(cleanText));

export const guardRule = z.strictObject({
  /** Unique. */
  id: ruleId,
  family: z._default(z.enum(guardFamilies), "safety"),
  action: z
    .optional(z.enum(ruleActions))
    .check(z.describe(english("Default: ask for safety and secrets, else advise."))),
  /** The rule fires where one of these matches. */
  match: z.array(z.union([commandMatch, fileMatch])).check(z.minLength(1), z.maxLength(50)),
  /** A sentence without the command. */
  message: sentence.check(z.minLength(1), z.maxLength(300), z.describe(english("What the call would do."))),
  /** A sentence in the imperative. */
  remedy: z._default(sentence.check(z.maxLength(300)), "").check(z.describe(english("What to do instead."))),
  /** See `example.ts` for how they are written. */
  fires: z
    ._default(z.array(z.string().check(z.maxLength(2000))).check(z.maxLength(50)), [])
    .check(z.describe(english("Calls on which it must fire."))),
  passes: z
    ._default(z.array(z.string().check(z.maxLength(2000))).check(z.maxLength(50)), [])
    .check(z.describe(english("Calls on which it must not fire."))),
});

type Fixed<T> = T extends object ? { readonly [Key in keyof T]: Fixed<T[Key]> } : T;

/** A guard rule on single calls of tools. */
export type GuardRule = Fixed<z.output<typeof guardRule>>;
export type ArgumentTest = Fixed<z.output<typeof argument>>;
export type StatementTest = Fixed<z.output<typeof statement>>;
export type CommandMatch = Fixed<z.output<typeof commandMatch>>;
export type FileMatch = Fixed<z.output<typeof fileMatch>>;
export type Match = CommandMatch | FileMatch;
