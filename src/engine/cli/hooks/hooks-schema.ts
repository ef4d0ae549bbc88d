import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { abilities } from "../../hooks/program.ts";

const policy = z.strictObject({
  effect: z.enum(["no_hooks", "no_http"]),
  file: z.string(),
  setting: z.string(),
  isManaged: z.boolean().check(z.describe("Set by an administrator: the user cannot change it.")),
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
        state: z
          .enum(["absent", "installed", "outdated"])
          .check(z.describe("Of install and uninstall: afterwards, or as it is where nothing was changed.")),
        events: z.array(z.string()).check(z.describe("The events that have a hook of purser's.")),
        skipped: z
          .nullable(
            z.strictObject({
              unreviewed: z.array(z.string()).check(z.describe("Events whose hook nobody has reviewed.")),
              changed: z
                .array(z.string())
                .check(z.describe("Events whose hook is another one than was reviewed.")),
              off: z.array(z.string()).check(z.describe("Events whose hook its user switched off.")),
              isProjectUntrusted: z.boolean(),
            }),
          )
          .check(
            z.describe("What Codex does not run until its user does something; null where it runs all."),
          ),
        isPosted: z
          .boolean()
          .check(z.describe("Whether hooks are posted to the service; else all are commands.")),
        hasStatusLine: z
          .boolean()
          .check(
            z.describe("Whether the agent's status line hands purser its figures, beside the user's own."),
          ),
        skill: z
          .nullable(
            z.strictObject({
              file: z.string(),
              state: z
                .enum(["absent", "installed", "outdated", "foreign"])
                .check(z.describe("Foreign: it is not purser's, or was changed, and is left alone.")),
            }),
          )
          .check(z.describe("The skill check-tokens; null where the agent has none.")),
        change: z
          .nullable(
            z.strictObject({
              isNeeded: z.boolean(),
              isMade: z.boolean(),
              diff: z.string().check(z.describe("The lines that change; the token is left out.")),
              backup: z.nullable(z.string()).check(z.describe("A copy of what was there before.")),
            }),
          )
          .check(z.describe("Null of status.")),
        policies: z
          .array(policy)
          .check(z.describe("What keeps the agent from running hooks, or from posting them.")),
        notes: z.array(sentenceSchema),
      }),
    ),
    agents: z
      .array(
        z.strictObject({
          agent: z.enum(["claude", "codex", "copilot", "gemini", "vscode"]),
          works: z.array(z.enum(abilities)),
          lacks: z.array(z.enum(abilities)),
        }),
      )
      .check(z.describe("Of status: what hooks can do with each agent, wherever they are installed.")),
    faults: z
      .array(
        z.strictObject({ agent: z.string(), scope: z.string(), reason: z.string(), detail: sentenceSchema }),
      )
      .check(z.describe("What could not be done or looked at, and why.")),
  })
  .check(z.meta({ title: "purser hooks --json" }));
export type HooksJson = z.infer<typeof hooksJson>;
export type HookFileJson = HooksJson["files"][number];
