import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";

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
