import * as z from "zod";

const bytes = z.int().nonnegative();

/** Output of `purser service status --json`. Members may be added; any other change changes `schema`. */
export const serviceJson = z
  .strictObject({
    schema: z.literal(1),
    running: z.boolean(),
    reason: z.string().nullable().describe("Why it does not run, or cannot be reached."),
    service: z
      .strictObject({
        pid: z.int(),
        version: z.string(),
        startedAt: z.iso.datetime(),
        uptimeSeconds: z.int().nonnegative(),
        clients: z.int().nonnegative().describe("Windows and terminals connected, besides this one."),
        liveSessions: z.int().nonnegative(),
        memory: z.strictObject({ rss: bytes, heap: bytes }).describe("Bytes."),
        cpuMs: z.number().nonnegative().describe("CPU time used so far."),
        idleMinutes: z
          .number()
          .nullable()
          .describe("It ends after being of no use for this long; null never."),
      })
      .nullable(),
    home: z.string().describe("The folder of what is purser's own."),
  })
  .meta({ title: "purser service status --json" });

export type ServiceJson = z.infer<typeof serviceJson>;
