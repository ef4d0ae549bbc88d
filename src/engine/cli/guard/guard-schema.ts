import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { ruleActions } from "../../guard/guard-rules.ts";
import { netView, guardReplay } from "../../guard/guard-answers.ts";
import { familyModes, guardFamilies } from "../../settings/guard.ts";

const family = z.enum(guardFamilies);
const mode = z.enum(familyModes);

const rule = z.object({
  id: z.string(),
  family,
  action: described(z.enum(ruleActions), "What the rule does where its family is on."),
  message: sentenceSchema,
  remedy: sentenceSchema,
  fires: described(z.array(z.string()), "Calls on which it fires."),
  passes: described(z.array(z.string()), "Similar calls on which it does not."),
});

const ruleFile = z.object({
  name: z.string(),
  kind: described(z.enum(["user", "project", "hookify"]), "hookify: a rule of that plugin, imported."),
  state: described(
    z.enum(["read", "off", "untrusted", "faulty"]),
    "untrusted: not read. faulty: what it said before its fault holds.",
  ),
  rules: described(z.array(z.string()), "Ids of its own rules."),
  faults: z.array(z.object({ line: z.int(), message: sentenceSchema })),
});

export const guardJson = z.object({
  schema: z.literal(1),
  rules: described(z.optional(z.array(rule)), "list, and the one rule of explain."),
  modes: described(
    z.optional(z.array(z.object({ family, mode, rules: z.int() }))),
    "The mode of each family, and how many rules on calls it has: status, on, off, observe, require.",
  ),
  files: described(
    z.optional(z.array(ruleFile)),
    "The files that say something of rules in this folder's project: status.",
  ),
  since: described(z.optional(z.string()), "ISO time from which on hits count: status."),
  counts: described(
    z.optional(
      z.array(
        z.object({
          rule: z.string(),
          family: z.string(),
          done: z.string(),
          count: z.int(),
          lastAt: described(z.nullable(z.number()), "Milliseconds since the epoch."),
          savedBytes: described(z.int(), "Bytes of output that it made smaller, or would have."),
        }),
      ),
    ),
    "How often each rule fired, by what was done about it: status. Missing where the ledger cannot be read.",
  ),
  outputs: described(
    z.optional(
      z.object({
        besides: described(
          z.boolean(),
          "Whether outputs are made smaller beside rivals: guardOutputsBesideHooks.",
        ),
        rivals: described(
          z.array(z.object({ file: z.string(), matcher: z.string() })),
          "Other people's hooks of Claude Code that may replace outputs in this folder.",
        ),
        resting: described(
          z.array(
            z.object({ id: z.string(), rule: z.string(), command: z.nullable(z.string()), net: z.number() }),
          ),
          "Formats that are switched off, as their net is not above zero; command null: for all commands. Tokens.",
        ),
      }),
    ),
    "Why outputs are left alone: status.",
  ),
  effects: described(
    z.optional(
      z.array(
        z.object({
          rule: z.string(),
          family: z.string(),
          advised: z.int(),
          asked: z.int(),
          denied: z.int(),
          followed: described(z.int(), "The agent went on without the call, or made a better one."),
          ignored: described(z.int(), "The agent went on as if nothing had been said."),
          overridden: described(z.int(), "A person allowed it, or the agent got round it."),
          progress: described(z.int(), "What the advice was about then succeeded, or was done."),
          mistaken: described(z.int(), "The user said so, or the call turned out right."),
          unknown: described(z.int(), "Nothing is known of it, or not yet."),
          helpsAtMost: described(
            z.nullable(z.number()),
            "Upper bound of the share of its advice that helps, from all outcomes since it was last called back; null without outcomes.",
          ),
          isSilent: described(z.boolean(), "Its advice has fallen silent, as it does not help."),
          wokenAt: described(
            z.nullable(z.number()),
            "When it was last called back. Milliseconds since the epoch.",
          ),
        }),
      ),
    ),
    "What came of what rules told agents: status, effects, list --effects, explain, wake.",
  ),
  net: described(
    z.optional(z.nullable(netView)),
    "What shortened outputs saved, in tokens at the price of new input: status, effects. Null without a ledger.",
  ),
  notJudged: described(
    z.optional(
      z.object({
        calls: z.int(),
        ran: described(z.int(), "Calls that ran; the others were asked about or denied."),
        newest: z.array(
          z.object({
            at: z.nullable(z.number()),
            session: z.string(),
            program: z.nullable(z.string()),
            tool: z.nullable(z.string()),
            done: z.string(),
            why: described(z.string(), "Why it was not judged, and what helps."),
          }),
        ),
      }),
    ),
    "Calls that no rule has judged: status.",
  ),
  hits: described(
    z.optional(
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
    ),
    "The newest calls on which rules fired: status.",
  ),
});
export type GuardJson = z.infer<typeof guardJson>;

export const guardTestJson = z.object({
  command: z.string(),
  action: described(
    z.enum(["none", ...ruleActions]),
    "The strongest of its rules, where all families are on.",
  ),
  rules: z.array(z.string()),
});
export type GuardTestJson = z.infer<typeof guardTestJson>;

export const guardReplayJson = z.extend(guardReplay, { schema: z.literal(1) });
