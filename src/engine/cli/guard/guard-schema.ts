import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { ruleActions } from "../../guard/guard-rules.ts";
import { guardReplay } from "../../guard/answers.ts";
import { guardFamilies, guardModes } from "../../settings/guard.ts";

const family = z.enum(guardFamilies);
const mode = z.enum(guardModes);

const rule = z.object({
  id: z.string(),
  family,
  action: z.enum(ruleActions).check(z.describe("What the rule does where its family is on.")),
  message: sentenceSchema,
  remedy: sentenceSchema,
  fires: z.array(z.string()).check(z.describe("Calls on which it fires.")),
  passes: z.array(z.string()).check(z.describe("Similar calls on which it does not.")),
});

const ruleFile = z.object({
  name: z.string(),
  kind: z.enum(["user", "project", "hookify"]).check(z.describe("hookify: a rule of that plugin, imported.")),
  state: z
    .enum(["read", "off", "untrusted", "faulty"])
    .check(z.describe("untrusted: not read. faulty: what it said before its fault holds.")),
  rules: z.array(z.string()).check(z.describe("Ids of its own rules.")),
  faults: z.array(z.object({ line: z.int(), message: sentenceSchema })),
});

export const guardJson = z.object({
  schema: z.literal(1),
  rules: z.optional(z.array(rule)).check(z.describe("list, and the one rule of explain.")),
  modes: z
    .optional(z.array(z.object({ family, mode, rules: z.int() })))
    .check(
      z.describe("The mode of each family, and how many rules on calls it has: status, on, off, observe."),
    ),
  files: z
    .optional(z.array(ruleFile))
    .check(z.describe("The files that say something of rules in this folder's project: status.")),
  since: z.optional(z.string()).check(z.describe("ISO time from which on hits count: status.")),
  counts: z
    .optional(
      z.array(
        z.object({
          rule: z.string(),
          family: z.string(),
          done: z.string(),
          count: z.int(),
          lastAt: z.nullable(z.number()).check(z.describe("Milliseconds since the epoch.")),
          savedBytes: z.int().check(z.describe("Bytes of output that it made smaller, or would have.")),
        }),
      ),
    )
    .check(
      z.describe(
        "How often each rule fired, by what was done about it: status. Missing where the ledger cannot be read.",
      ),
    ),
  outputs: z
    .optional(
      z.object({
        besides: z
          .boolean()
          .check(z.describe("Whether outputs are made smaller beside rivals: guardOutputsBesideHooks.")),
        rivals: z
          .array(z.object({ file: z.string(), matcher: z.string() }))
          .check(z.describe("Other people's hooks of Claude Code that may replace outputs in this folder.")),
        resting: z
          .array(z.object({ compressor: z.string(), command: z.string(), since: z.number() }))
          .check(z.describe("Compressors that rest on a command, as its originals were asked for often.")),
      }),
    )
    .check(z.describe("Why outputs are left alone: status.")),
  effects: z
    .optional(
      z.array(
        z.object({
          rule: z.string(),
          family: z.string(),
          advised: z.int(),
          asked: z.int(),
          denied: z.int(),
          followed: z.int().check(z.describe("The agent went on without the call, or made a better one.")),
          ignored: z.int().check(z.describe("The agent went on as if nothing had been said.")),
          overridden: z.int().check(z.describe("A person allowed it, or the agent got round it.")),
          progress: z.int().check(z.describe("What the advice was about then succeeded, or was done.")),
          mistaken: z.int().check(z.describe("The user said so, or the call turned out right.")),
          unknown: z.int().check(z.describe("Nothing is known of it, or not yet.")),
          helpsAtMost: z
            .nullable(z.number())
            .check(
              z.describe(
                "Upper bound of the share of its advice that helps, from all outcomes since it was last called back; null without outcomes.",
              ),
            ),
          isSilent: z.boolean().check(z.describe("Its advice has fallen silent, as it does not help.")),
          wokenAt: z
            .nullable(z.number())
            .check(z.describe("When it was last called back. Milliseconds since the epoch.")),
        }),
      ),
    )
    .check(z.describe("What came of what rules told agents: status, list --effects, explain, wake.")),
  hits: z
    .optional(
      z.array(
        z.object({
          at: z.nullable(z.number()),
          session: z.string(),
          program: z.nullable(z.string()),
          tool: z.nullable(z.string()),
          rule: z.string(),
          done: z.string(),
          excerpt: z.nullable(z.string()),
        }),
      ),
    )
    .check(z.describe("The newest calls on which rules fired: status.")),
});
export type GuardJson = z.infer<typeof guardJson>;

export const guardTestJson = z.object({
  command: z.string(),
  action: z
    .enum(["none", ...ruleActions])
    .check(z.describe("The strongest of its rules, where all families are on.")),
  rules: z.array(z.string()),
});
export type GuardTestJson = z.infer<typeof guardTestJson>;

export const guardReplayJson = z.extend(guardReplay, { schema: z.literal(1) });
