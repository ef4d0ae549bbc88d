import * as z from "zod";

const task = z.strictObject({
  id: z.string(),
  agent: z.string(),
  title: z.string(),
  weight: z.number().positive(),
  file: z.string(),
  hash: z
    .string()
    .describe("Of what an agent is asked and how that is checked: another one is another task."),
});

const audited = z.strictObject({
  taskId: z.string(),
  agent: z.string(),
  file: z.string(),
  trials: z.array(
    z.strictObject({
      with: z.string().describe("pristine, or the patch that was applied."),
      outcome: z.enum(["passed", "failed", "timeout", "cancelled", "unavailable"]),
      durationMs: z.number().nonnegative(),
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
      detail: z.string(),
    }),
  ),
});

/**
 * Output of `purser golden … --json`, for every subcommand. Members may be added; any other change changes
 * `schema`.
 */
export const goldenJson = z
  .strictObject({
    schema: z.literal(1),
    act: z.enum(["list", "check", "new", "freeze", "install", "uninstall"]),
    suite: z
      .strictObject({
        origin: z.enum(["built-in", "workspace"]),
        folder: z.string(),
        fixture: z.strictObject({ folder: z.string(), files: z.int().nonnegative(), hash: z.string() }),
        agents: z.array(
          z.strictObject({
            name: z.string(),
            description: z.string(),
            suiteHash: z.string(),
            tasks: z.int(),
          }),
        ),
      })
      .nullable()
      .describe("Null where there is none that can be used, and of new."),
    tasks: z.array(task).describe("Of list and check."),
    audits: z.array(audited).describe("Of check."),
    files: z.array(z.string()).describe("What new and freeze wrote."),
    remaining: z.array(z.string()).describe("What a person has to do with a draft."),
    drafts: z
      .array(
        z.strictObject({
          file: z.string(),
          agent: z.string(),
          title: z.string(),
          remaining: z.array(z.string()).describe("What a person has to do before it is a task."),
        }),
      )
      .describe("Of list: golden tasks of the workspace that nobody finished, which no run sees."),
    faults: z.array(z.strictObject({ reason: z.string(), detail: z.string() })),
  })
  .meta({ title: "purser golden --json" });
export type GoldenJson = z.infer<typeof goldenJson>;
