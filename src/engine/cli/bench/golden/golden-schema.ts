import { described, sentenceSchema } from "../../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { historyReasons } from "../../../bench/golden.ts";

const task = z.strictObject({
  id: z.string(),
  agent: z.string(),
  title: z.string(),
  weight: z.number().check(z.positive()),
  file: z.string(),
  hash: described(
    z.string(),
    "Of what an agent is asked and how that is checked: another one is another task.",
  ),
});

const audited = z.strictObject({
  taskId: z.string(),
  agent: z.string(),
  file: z.string(),
  trials: z.array(
    z.strictObject({
      with: described(z.string(), "pristine, or the patch that was applied."),
      outcome: z.enum(["passed", "failed", "timeout", "cancelled", "unavailable"]),
      durationMs: z.number().check(z.nonnegative()),
    }),
  ),
  faults: z.array(
    z.strictObject({
      kind: z.enum([
        "always-passes",
        "never-passes",
        "wrong-passes",
        "no-solution",
        "few-wrong",
        "does-not-apply",
        "not-run",
      ]),
      detail: sentenceSchema,
    }),
  ),
});

export const goldenJson = z
  .strictObject({
    schema: z.literal(1),
    act: z.enum(["list", "check", "new", "draft", "freeze", "install", "uninstall"]),
    suite: described(
      z.nullable(
        z.strictObject({
          origin: z.enum(["built-in", "workspace"]),
          folder: z.string(),
          fixture: described(
            z.nullable(
              z.strictObject({
                folder: z.string(),
                files: z.int().check(z.nonnegative()),
                hash: z.string(),
              }),
            ),
            "Null if each task begins at a commit of its own.",
          ),
          agents: z.array(
            z.strictObject({
              name: z.string(),
              description: z.string(),
              suiteHash: z.string(),
              tasks: z.int(),
            }),
          ),
        }),
      ),
      "Null where there is none that can be used, and of new.",
    ),
    tasks: described(z.array(task), "Of list and check."),
    audits: described(z.array(audited), "Of check."),
    files: described(z.array(z.string()), "What new, draft and freeze wrote."),
    remaining: described(z.array(sentenceSchema), "What a person has to do with a draft."),
    drafts: described(
      z.array(
        z.strictObject({
          file: z.string(),
          agent: z.string(),
          title: z.string(),
          remaining: described(z.array(sentenceSchema), "What a person has to do before it is a task."),
        }),
      ),
      "Of list: golden tasks of the workspace that nobody finished, which no run sees.",
    ),
    commits: described(
      z.array(
        z.strictObject({
          commit: z.string(),
          subject: z.string(),
          reason: z.enum(historyReasons),
          why: sentenceSchema,
          output: described(z.nullable(z.string()), "The end of what its tests printed."),
          file: described(z.nullable(z.string()), "The task's file."),
        }),
      ),
      "Of draft: what became of each commit, the tried ones first.",
    ),
    faults: z.array(z.strictObject({ reason: z.string(), detail: sentenceSchema })),
  })
  .check(z.meta({ title: "purser golden --json" }));
export type GoldenJson = z.infer<typeof goldenJson>;
