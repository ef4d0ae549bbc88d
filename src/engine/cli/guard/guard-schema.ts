import * as z from "zod";
import { ruleActions } from "../../guard/calls/rule-action.ts";
import { guardReplay } from "../../guard/answers.ts";
import { guardFamilies, guardModes } from "../../settings/guard.ts";

const family = z.enum(guardFamilies);
const mode = z.enum(guardModes);

const rule = z.object({
  id: z.string(),
  family,
  action: z.enum(ruleActions).describe("What the rule does where its family is on."),
  message: z.string(),
  remedy: z.string(),
  fires: z.array(z.string()).describe("Calls on which it fires."),
  passes: z.array(z.string()).describe("Similar calls on which it does not."),
});

const ruleFile = z.object({
  name: z.string(),
  kind: z.enum(["user", "project", "hookify"]).describe("hookify: a rule of that plugin, imported."),
  state: z
    .enum(["read", "off", "untrusted", "faulty"])
    .describe("untrusted: not read. faulty: what it said before its fault holds."),
  rules: z.array(z.string()).describe("Ids of its own rules."),
  faults: z.array(z.object({ line: z.int(), message: z.string() })),
});

/** Output of `purser guard … --json`, except `test`. Members may be added; any other change changes `schema`. */
export const guardJson = z.object({
  schema: z.literal(1),
  rules: z.array(rule).optional().describe("list, and the one rule of explain."),
  modes: z
    .array(z.object({ family, mode, rules: z.int() }))
    .optional()
    .describe("The mode of each family, and how many rules on calls it has: status, on, off, observe."),
  files: z
    .array(ruleFile)
    .optional()
    .describe("The files that say something of rules in this folder's project: status."),
  since: z.string().optional().describe("ISO time from which on hits count: status."),
  counts: z
    .array(
      z.object({
        rule: z.string(),
        family: z.string(),
        done: z.string(),
        count: z.int(),
        lastAt: z.number().nullable().describe("Milliseconds since the epoch."),
        savedBytes: z.int().describe("Bytes of output that it made smaller, or would have."),
      }),
    )
    .optional()
    .describe(
      "How often each rule fired, by what was done about it: status. Missing where the ledger cannot be read.",
    ),
  outputs: z
    .object({
      besides: z
        .boolean()
        .describe("Whether outputs are made smaller beside rivals: guardOutputsBesideHooks."),
      rivals: z
        .array(z.object({ file: z.string(), matcher: z.string() }))
        .describe("Other people's hooks of Claude Code that may replace outputs in this folder."),
      resting: z
        .array(z.object({ compressor: z.string(), command: z.string(), since: z.number() }))
        .describe("Compressors that rest on a command, as its originals were asked for often."),
    })
    .optional()
    .describe("Why outputs are left alone: status."),
  effects: z
    .array(
      z.object({
        rule: z.string(),
        family: z.string(),
        advised: z.int(),
        asked: z.int(),
        denied: z.int(),
        followed: z.int().describe("The agent went on without the call, or made a better one."),
        ignored: z.int().describe("The agent went on as if nothing had been said."),
        overridden: z.int().describe("A person allowed it, or the agent got round it."),
        progress: z.int().describe("What the advice was about then succeeded, or was done."),
        mistaken: z.int().describe("The user said so, or the call turned out right."),
        unknown: z.int().describe("Nothing is known of it, or not yet."),
        helpsAtMost: z
          .number()
          .nullable()
          .describe(
            "Highest share of its advice that may help, by all known outcomes since it was last called back; null where none is known.",
          ),
        isSilent: z.boolean().describe("Its advice has fallen silent, as it does not help."),
        wokenAt: z
          .number()
          .nullable()
          .describe("When it was last called back. Milliseconds since the epoch."),
      }),
    )
    .optional()
    .describe("What came of what rules told agents: status, list --effects, explain, wake."),
  hits: z
    .array(
      z.object({
        at: z.number().nullable(),
        session: z.string(),
        program: z.string().nullable(),
        tool: z.string().nullable(),
        rule: z.string(),
        done: z.string(),
        excerpt: z.string().nullable(),
      }),
    )
    .optional()
    .describe("The newest calls on which rules fired: status."),
});
export type GuardJson = z.infer<typeof guardJson>;

/** One line of `purser guard test --json`. */
export const guardTestJson = z.object({
  command: z.string(),
  action: z.enum(["none", ...ruleActions]).describe("The strongest of its rules, where all families are on."),
  rules: z.array(z.string()),
});
export type GuardTestJson = z.infer<typeof guardTestJson>;

/** Output of `purser guard replay --json`. Members may be added; any other change changes `schema`. */
export const guardReplayJson = guardReplay.extend({ schema: z.literal(1) });
