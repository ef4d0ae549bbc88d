import * as z from "zod/mini";
import { sentence } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import { guardFamilies, type GuardFamily } from "../../settings/guard.ts";
import { ruleActions } from "./rule-action.ts";
import { pathKinds } from "./path-kinds.ts";

/** A guard rule in code, which judges several calls together and only advises. */
export interface CodedRule {
  /** Kebab-case, unique among all rules. */
  readonly id: string;
  readonly family: GuardFamily;
  /** The finding, in general: a sentence. */
  readonly message: string;
  /** The better way: a sentence in the imperative. */
  readonly remedy: string;
  /** A case in which it fires, in words. */
  readonly example: string;
}

/**
 * The schema of a guard rule on single calls of tools, for the catalogue and for a `guard.yaml`. Code that judges imports only the types,
 * so it makes no schema.
 *
 * In texts with alternatives, `|` separates them, without blanks. All conditions of a match must hold.
 */

export const ruleId = z
  .string()
  .check(
    z.regex(
      /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/u,
      sentence("words of small letters with dashes between them, such as no-force-push").text,
    ),
    z.maxLength(100),
  );
const words = z.string().check(z.minLength(1), z.maxLength(2000));
export const pattern = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(2000),
    z.describe(sentence("Linear regular expression (RE2), without lookaround.").text),
  );
const kinds: readonly string[] = pathKinds;
const noKinds = sentence("kinds of paths with | between them; the kinds are {0}", pathKinds.join(", "));
const paths = z.string().check(
  z.refine((text) => text.split("|").every((kind) => kinds.includes(kind)), {
    error: noKinds.text,
    params: { sentence: noKinds },
  }),
  z.describe(sentence("Kinds of paths, with | between them.").text),
);
const argument = z.strictObject({
  path: z.optional(paths),
  notPath: z.optional(paths),
  /** Empty for an argument that is. */
  like: z
    .optional(z.string().check(z.maxLength(2000)))
    .check(
      z.describe(sentence("For the whole argument; case counts. A group named path in it is the path.").text),
    ),
  from: z.optional(words).check(z.describe(sentence("It is what one of these programs prints.").text)),
  given: z.optional(words).check(z.describe(sentence("It contains what one of these programs prints.").text)),
  givenFile: z
    .optional(paths)
    .check(z.describe(sentence("It contains what a program prints of such a file.").text)),
  givenVariable: z
    .optional(pattern)
    .check(z.describe(sentence("It contains a variable of such a name.").text)),
});

/** Tests a statement without comments, with emptied texts and single blanks. */
const statement = z.strictObject({
  /** Matches from the beginning. */
  like: pattern,
  /** Is not found. */
  unlike: z.optional(pattern),
});

const places = z.enum(["here", "container", "remote"]);
const commandMatch = z.strictObject({
  program: words.check(
    z.describe(sentence("Programs without folder and extension, with | between them; * is any.").text),
  ),
  words: z
    .optional(words)
    .check(
      z.describe(
        sentence("The words that its operands begin with, such as push, or remote remove; alternatives by |.")
          .text,
      ),
    ),
  flags: z
    .optional(z.array(words).check(z.maxLength(20)))
    .check(z.describe(sentence("Options; one of each entry must be given: -r|-R|--recursive.").text)),
  without: z.optional(words).check(z.describe(sentence("None of these options may be given.").text)),
  /** Tests the operands after `words`. */
  operand: z.optional(argument).check(z.describe(sentence("One operand matches.").text)),
  /** Without operands it does not match. */
  every: z.optional(argument).check(z.describe(sentence("Every operand matches.").text)),
  value: z
    .optional(z.extend(argument, { of: words }))
    .check(z.describe(sentence("The value of an option matches.").text)),
  /** Such as the files that `mv` moves: all operands if an option names the target. */
  source: z.optional(argument).check(z.describe(sentence("One operand before the last one matches.").text)),
  /** Such as the target of `cp`. */
  last: z.optional(argument).check(z.describe(sentence("The last operand matches.").text)),
  word: z
    .optional(argument)
    .check(z.describe(sentence("One word matches: an operand, an option or an option's value.").text)),
  /** The minimum and maximum number of operands after `words`. */
  count: z
    .optional(z.tuple([z.int().check(z.nonnegative()), z.int().check(z.nonnegative())]))
    .check(z.describe(sentence("Number of operands.").text)),
  /** `>>` counts unless `truncates`. */
  writes: z
    .optional(z.extend(argument, { truncates: z.optional(z.literal(true)) }))
    .check(z.describe(sentence("It writes to such a file, by redirecting its output.").text)),
  from: z.optional(words).check(z.describe(sentence("It reads the output of one of these programs.").text)),
  /** As a script, or as the name of a command. */
  runs: z.optional(words).check(z.describe(sentence("It runs the output of one of these programs.").text)),
  fromFile: z
    .optional(paths)
    .check(z.describe(sentence("Its input is such a file, or what a program prints of it.").text)),
  notVia: z.optional(words).check(z.describe(sentence("It is run through none of these wrappers.").text)),
  /** Piping and redirecting may prevent it. */
  shown: z
    .optional(z.enum(["whole", "part"]))
    .check(z.describe(sentence("Its output is seen by the agent, whole or at least a part.").text)),
  via: z
    .optional(words)
    .check(z.describe(sentence("It is run through one of these wrappers, such as sudo.").text)),
  place: z.optional(places).check(z.describe(sentence("It runs there; anywhere unless given.").text)),
  notPlace: z.optional(places).check(z.describe(sentence("It does not run there.").text)),
  notFolder: z
    .optional(paths)
    .check(z.describe(sentence("The folder in which it works is of none of these kinds.").text)),
  /** By the table of services. */
  sendsTokenElsewhere: z
    .optional(z.literal(true))
    .check(
      z.describe(sentence("Its words hold a well-known service's token, and only addresses of others.").text),
    ),
  /** Tested before `text`, as that is quick. */
  holds: z
    .optional(words)
    .check(
      z.describe(
        sentence("Texts with | between them; its words or its input contain one of them; case counts.").text,
      ),
    ),
  notTesting: z
    .optional(z.literal(true))
    .check(z.describe(sentence("Not on a database made for tests, by its name or by its environment.").text)),
  /** As a word, an option's value, or its input. */
  statement: z
    .optional(statement)
    .check(z.describe(sentence("One statement of SQL that it is given matches.").text)),
  /** Its words are joined by blanks. */
  text: z
    .optional(pattern)
    .check(z.describe(sentence("Found in its words or its input; case does not count.").text)),
  notText: z
    .optional(pattern)
    .check(z.describe(sentence("Not found in its words or its input; case does not count.").text)),
});

/** Matches tools that read or change a file by its path. */
const fileMatch = z.strictObject({
  tool: z.enum(["read", "edit", "read|edit"]),
  path: z.optional(paths),
  notPath: z.optional(paths),
  like: z
    .optional(pattern)
    .check(z.describe(sentence("For the whole path, with forward slashes; case counts.").text)),
  /** Unless it begins with `(?i)`. */
  content: z
    .optional(pattern)
    .check(z.describe(sentence("Found in the text that is written; case counts.").text)),
  removes: z
    .optional(pattern)
    .check(
      z.describe(
        sentence("Found in the text that an edit removes, and not in what it writes; case counts.").text,
      ),
    ),
  /** Tested first, as that is quick. */
  holds: z
    .optional(words)
    .check(z.describe(sentence("Texts with | between them; the written text contains one of them.").text)),
});

/** A sentence is shown within other lines, so it gets one line. */
const sentenceText = z.string().check(z.overwrite(cleanText));

export const guardRule = z.strictObject({
  /** Unique. */
  id: ruleId,
  family: z._default(z.enum(guardFamilies), "safety"),
  action: z
    .optional(z.enum(ruleActions))
    .check(z.describe(sentence("Default: ask for safety and secrets, else advise.").text)),
  /** The rule fires where one of these matches. */
  match: z.array(z.union([commandMatch, fileMatch])).check(z.minLength(1), z.maxLength(50)),
  /** A sentence without the command. */
  message: sentenceText.check(
    z.minLength(1),
    z.maxLength(300),
    z.describe(sentence("What the call would do.").text),
  ),
  /** A sentence in the imperative. */
  remedy: z
    ._default(sentenceText.check(z.maxLength(300)), "")
    .check(z.describe(sentence("What to do instead.").text)),
  /** See `example.ts` for how they are written. */
  fires: z
    ._default(z.array(z.string().check(z.maxLength(2000))).check(z.maxLength(50)), [])
    .check(z.describe(sentence("Calls on which it must fire.").text)),
  passes: z
    ._default(z.array(z.string().check(z.maxLength(2000))).check(z.maxLength(50)), [])
    .check(z.describe(sentence("Calls on which it must not fire.").text)),
});

type Fixed<T> = T extends object ? { readonly [Key in keyof T]: Fixed<T[Key]> } : T;

/** A guard rule on single calls of tools. */
export type GuardRule = Fixed<z.output<typeof guardRule>>;
export type ArgumentTest = Fixed<z.output<typeof argument>>;
export type StatementTest = Fixed<z.output<typeof statement>>;
export type CommandMatch = Fixed<z.output<typeof commandMatch>>;
export type FileMatch = Fixed<z.output<typeof fileMatch>>;
export type Match = CommandMatch | FileMatch;
