import { english } from "../../base/text/english.ts";
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
    english("words of small letters with dashes between them, such as no-force-push"),
  )
  .max(100);
const words = z.string().min(1).max(1000);
const pattern = z
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
  like: pattern
    .optional()
    .describe(english("For the whole argument; case counts. A group named path in it is the path.")),
  from: words.optional().describe(english("It is what one of these programs prints.")),
  given: words.optional().describe(english("It contains what one of these programs prints.")),
  givenFile: paths.optional().describe(english("It contains what a program prints of such a file.")),
  givenVariable: pattern.optional().describe(english("It contains a variable of such a name.")),
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
  operand: argument.optional().describe(english("One operand matches.")),
  every: argument.optional().describe(english("Every operand matches.")),
  value: argument.extend({ of: words }).optional().describe(english("The value of an option matches.")),
  last: argument.optional().describe(english("The last operand matches.")),
  count: z
    .tuple([z.int().nonnegative(), z.int().nonnegative()])
    .optional()
    .describe(english("Number of operands.")),
  writes: argument.extend({ truncates: z.literal(true).optional() }).optional(),
  from: words.optional().describe(english("It reads the output of one of these programs.")),
  runs: words.optional().describe(english("It runs the output of one of these programs.")),
  fromFile: paths.optional().describe(english("Its input is such a file, or what a program prints of it.")),
  notVia: words.optional().describe(english("It is run through none of these wrappers.")),
  shown: z
    .enum(["whole", "part"])
    .optional()
    .describe(english("Its output is seen by the agent, whole or at least a part.")),
  via: words.optional().describe(english("It is run through one of these wrappers, such as sudo.")),
  place: places.optional(),
  notPlace: places.optional(),
  holds: words
    .optional()
    .describe(english("Texts with | between them, of which its words or its input hold one; case counts.")),
  notTesting: z
    .literal(true)
    .optional()
    .describe(english("Not on a database made for tests, by its name or by its environment.")),
  statement: z
    .strictObject({ like: pattern, unlike: pattern.optional() })
    .optional()
    .describe(english("One statement of SQL that it is given matches.")),
  text: pattern.optional().describe(english("Found in its words or its input; case does not count.")),
  notText: pattern.optional(),
});
const fileMatch = z.strictObject({
  tool: z.enum(["read", "edit", "read|edit"]),
  path: paths.optional(),
  notPath: paths.optional(),
  like: pattern.optional().describe(english("For the whole path, with forward slashes; case counts.")),
  content: pattern.optional().describe(english("Found in the text that is written; case counts.")),
  holds: words
    .optional()
    .describe(english("Texts with | between them, of which the text that is written holds one.")),
});

/** Told to agents and people within other lines: on one line, however it is written in the file. */
const sentence = z.string().overwrite(cleanText);

const ownRule = z.strictObject({
  id,
  family: z.enum(guardFamilies).default("safety"),
  action: z
    .enum(ruleActions)
    .optional()
    .describe(english("Default: ask for safety and secrets, else advise.")),
  match: z
    .array(z.union([commandMatch, fileMatch]))
    .min(1)
    .max(50),
  message: sentence.min(1).max(300).describe(english("What the call would do.")),
  remedy: sentence.max(300).default("").describe(english("What to do instead.")),
  fires: z.array(z.string().max(2000)).max(50).default([]).describe(english("Calls on which it must fire.")),
  passes: z
    .array(z.string().max(2000))
    .max(50)
    .default([])
    .describe(english("Calls on which it must not fire.")),
});

const exception = z.strictObject({
  rule: id.describe(english("The rule that does not fire.")),
  like: pattern.optional().describe(english("Only on commands or files in which this is found.")),
  folder: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(english("Only in this folder and below it; ~ is your home.")),
  until: z.iso.date().optional().describe(english("Only before this day.")),
});

export const guardFile = z.strictObject({
  set: z
    .record(id, z.enum(["off", ...ruleActions]))
    .default({})
    .describe(english("What rules that come with purser do instead, by their ids.")),
  exceptions: z.array(exception).max(500).default([]),
  rules: z.array(ownRule).max(500).default([]),
});
