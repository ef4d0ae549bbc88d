import * as z from "zod/mini";
import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import { abilities } from "../../hooks/abilities.ts";
import { hookWays } from "../../hooks/install.ts";

const policy = z.strictObject({
  effect: z.enum(["no_hooks", "no_http"]),
  file: z.string(),
  setting: z.string(),
  isManaged: described(z.boolean(), "Set by an administrator: the user cannot change it."),
});

export const hooksJson = z
  .strictObject({
    schema: z.literal(1),
    act: z.enum(["install", "uninstall", "status"]),
    files: z.array(
      z.strictObject({
        agent: z.enum(["claude", "codex", "copilot", "gemini"]),
        scope: z.enum(["user", "project", "local"]),
        file: z.string(),
        state: described(
          z.enum(["absent", "installed", "outdated"]),
          "Of install and uninstall: afterwards, or as it is where nothing was changed.",
        ),
        events: described(z.array(z.string()), "The events that have a hook of purser's."),
        skipped: described(
          z.nullable(
            z.strictObject({
              unreviewed: described(z.array(z.string()), "Events whose hook nobody has reviewed."),
              changed: described(z.array(z.string()), "Events whose hook is another one than was reviewed."),
              off: described(z.array(z.string()), "Events whose hook its user switched off."),
              isProjectUntrusted: z.boolean(),
            }),
          ),
          "What Codex does not run until its user does something; null where it runs all.",
        ),
        way: described(
          z.enum(hookWays),
          "How most hooks reach the service: the agent posts them (http), or a command passes them on with curl or Node. A way that fails uses the next.",
        ),
        isPosted: described(z.boolean(), "Whether hooks are posted to the service; else all are commands."),
        hasStatusLine: described(
          z.boolean(),
          "Whether the agent's status line hands purser its figures, beside the user's own.",
        ),
        skill: described(
          z.nullable(
            z.strictObject({
              file: z.string(),
              state: described(
                z.enum(["absent", "installed", "outdated", "foreign"]),
                "Foreign: it is not purser's, or was changed, and is left alone.",
              ),
            }),
          ),
          "The skill check-tokens; null where the agent has none.",
        ),
        change: described(
          z.nullable(
            z.strictObject({
              isNeeded: z.boolean(),
              isMade: z.boolean(),
              diff: described(z.string(), "The lines that change; the token is left out."),
              backup: described(z.nullable(z.string()), "A copy of what was there before."),
            }),
          ),
          "Null of status.",
        ),
        policies: described(
          z.array(policy),
          "What keeps the agent from running hooks, or from posting them.",
        ),
        notes: z.array(sentenceSchema),
      }),
    ),
    reasons: described(
      z.array(z.strictObject({ event: z.string(), reason: z.string() })),
      "Of status: why each event has a hook.",
    ),
    agents: described(
      z.array(
        z.strictObject({
          agent: z.enum(["claude", "codex", "copilot", "gemini", "vscode"]),
          works: z.array(z.enum(abilities)),
          lacks: z.array(z.enum(abilities)),
        }),
      ),
      "Of status: what hooks can do with each agent, wherever they are installed.",
    ),
    faults: described(
      z.array(
        z.strictObject({ agent: z.string(), scope: z.string(), reason: z.string(), detail: sentenceSchema }),
      ),
      "What could not be done or looked at, and why.",
    ),
  })
  .check(z.meta({ title: "purser hooks --json" }));
export type HooksJson = z.infer<typeof hooksJson>;
export type HookFileJson = HooksJson["files"][number];

const milliseconds = z.nullable(z.number().check(z.nonnegative()));
const count = z.int().check(z.nonnegative());
const figures = {
  event: z.string(),
  count: described(count, "Recorded runs of hooks."),
  p50: described(milliseconds, "Half of them took no longer. Milliseconds; null where nothing tells."),
  p95: milliseconds,
  injectedTokens: described(count, "Put into agents' contexts; estimated from characters, at four a token."),
};

export const hookProfileJson = z
  .strictObject({
    schema: z.literal(1),
    since: z.iso.datetime(),
    own: described(
      z.array(
        z.strictObject({
          ...figures,
          start: described(
            milliseconds,
            "From the hook's start to the answer, measured now; the other times are the service's part and come on top. Null without a service.",
          ),
        }),
      ),
      "Purser's, from its ledger: each hook there was.",
    ),
    others: described(
      z.array(z.strictObject({ command: z.nullable(z.string()), isOwn: z.boolean(), ...figures })),
      "Everybody's, from Claude Code's transcripts, which tell of hooks that said something, and of all at a turn's end.",
    ),
    problems: z.array(sentenceSchema),
  })
  .check(z.meta({ title: "purser hooks profile --json" }));
export type HookProfileJson = z.infer<typeof hookProfileJson>;

export const hookRepairJson = z
  .strictObject({
    schema: z.literal(1),
    isDry: described(z.boolean(), "Whether it was only looked at what would be done."),
    repairs: described(
      z.array(
        z.strictObject({
          agent: z.enum(["claude", "codex", "copilot", "gemini"]),
          scope: z.enum(["user", "project", "local"]),
          file: z.string(),
          outcome: described(
            z.enum(["repaired", "shared", "failed"]),
            "Shared: the file is under version control, so it is left to you. Failed: see detail.",
          ),
          detail: described(sentenceSchema, "What was wrong, or why it could not be mended."),
          diff: described(z.string(), "The lines that change; the token is left out."),
        }),
      ),
      "Files in which something was wrong; none where all is well.",
    ),
  })
  .check(z.meta({ title: "purser hooks repair --json" }));
export type HookRepairJson = z.infer<typeof hookRepairJson>;
