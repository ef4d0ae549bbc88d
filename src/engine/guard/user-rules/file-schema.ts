import * as z from "zod";
import { cleanText } from "../../base/text/text.ts";
import { guardFamilies } from "../../settings/guard.ts";
import { pathKinds } from "../calls/path-kinds.ts";
import { ruleActions } from "../calls/rule.ts";

/** The shapes of `guard.yaml`: the user's own rules, what rules that come with purser do instead, and exceptions. */

const id = z
  .string()
  .regex(
    /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/u,
    "words of small letters with dashes between them, such as no-force-push",
  )
  .max(100);
const words = z.string().min(1).max(1000);
const pattern = z.string().min(1).max(2000).describe("Linear regular expression (RE2), without lookaround.");
const kinds: readonly string[] = pathKinds;
const paths = z
  .string()
  .refine((text) => text.split("|").every((kind) => kinds.includes(kind)), {
    error: `kinds of paths with | between them; the kinds are ${pathKinds.join(", ")}`,
  })
  .describe("Kinds of paths, with | between them.");
const argument = z.strictObject({
  path: paths.optional(),
  notPath: paths.optional(),
  like: pattern
    .optional()
    .describe("For the whole argument; case counts. A group named path in it is the path."),
  from: words.optional().describe("It is what one of these programs prints."),
  given: words.optional().describe("It contains what one of these programs prints."),
  givenFile: paths.optional().describe("It contains what a program prints of such a file."),
  givenVariable: pattern.optional().describe("It contains a variable of such a name."),
});

const places = z.enum(["here", "container", "remote"]);
const commandMatch = z.strictObject({
  program: words.describe("Programs without folder and extension, with | between them; * is any."),
  words: words
    .optional()
    .describe("The words that its operands begin with, such as push, or remote remove; alternatives by |."),
  flags: z
    .array(words)
    .max(20)
    .optional()
    .describe("Options, of which each entry needs one: -r|-R|--recursive."),
  without: words.optional().describe("Options of which none may be there."),
  operand: argument.optional().describe("One operand matches."),
  every: argument.optional().describe("Every operand matches."),
  value: argument.extend({ of: words }).optional().describe("The value of an option matches."),
  last: argument.optional().describe("The last operand matches."),
  count: z.tuple([z.int().nonnegative(), z.int().nonnegative()]).optional().describe("Number of operands."),
  writes: argument.extend({ truncates: z.literal(true).optional() }).optional(),
  from: words.optional().describe("It reads the output of one of these programs."),
  runs: words.optional().describe("It runs the output of one of these programs."),
  fromFile: paths.optional().describe("Its input is such a file, or what a program prints of it."),
  notVia: words.optional().describe("It is run through none of these wrappers."),
  shown: z
    .enum(["whole", "part"])
    .optional()
    .describe("Its output is seen by the agent, whole or at least a part."),
  via: words.optional().describe("It is run through one of these wrappers, such as sudo."),
  place: places.optional(),
  notPlace: places.optional(),
  holds: words
    .optional()
    .describe("Texts with | between them, of which its words or its input hold one; case counts."),
  notTesting: z
    .literal(true)
    .optional()
    .describe("Not on a database made for tests, by its name or by its environment."),
  statement: z
    .strictObject({ like: pattern, unlike: pattern.optional() })
    .optional()
    .describe("One statement of SQL that it is given matches."),
  text: pattern.optional().describe("Found in its words or its input; case does not count."),
  notText: pattern.optional(),
});
const fileMatch = z.strictObject({
  tool: z.enum(["read", "edit", "read|edit"]),
  path: paths.optional(),
  notPath: paths.optional(),
  like: pattern.optional().describe("For the whole path, with forward slashes; case counts."),
  content: pattern.optional().describe("Found in the text that is written; case counts."),
  holds: words.optional().describe("Texts with | between them, of which the text that is written holds one."),
});

/** Told to agents and people within other lines: on one line, however it is written in the file. */
const sentence = z.string().overwrite(cleanText);

const ownRule = z.strictObject({
  id,
  family: z.enum(guardFamilies).default("safety"),
  action: z.enum(ruleActions).optional().describe("Default: ask for safety and secrets, else advise."),
  match: z
    .array(z.union([commandMatch, fileMatch]))
    .min(1)
    .max(50),
  message: sentence.min(1).max(300).describe("What the call would do."),
  remedy: sentence.max(300).default("").describe("What to do instead."),
  fires: z.array(z.string().max(2000)).max(50).default([]).describe("Calls on which it must fire."),
  passes: z.array(z.string().max(2000)).max(50).default([]).describe("Calls on which it must not fire."),
});

const exception = z.strictObject({
  rule: id.describe("The rule that does not fire."),
  like: pattern.optional().describe("Only on commands or files in which this is found."),
  folder: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("Only in this folder and below it; ~ is your home."),
  until: z.iso.date().optional().describe("Only before this day."),
});

export const guardFile = z.strictObject({
  set: z
    .record(id, z.enum(["off", ...ruleActions]))
    .default({})
    .describe("What rules that come with purser do instead, by their ids."),
  exceptions: z.array(exception).max(500).default([]),
  rules: z.array(ownRule).max(500).default([]),
});
