import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";

const bytes = z.int().check(z.nonnegative());

export const serviceJson = z
  .strictObject({
    schema: z.literal(1),
    running: z.boolean(),
    reason: z.nullable(sentenceSchema).check(z.describe("Why it does not run, or cannot be reached.")),
    service: z.nullable(
      z.strictObject({
        pid: z.int(),
        version: z.string(),
        startedAt: z.iso.datetime(),
        uptimeSeconds: z.int().check(z.nonnegative()),
        clients: z
          .int()
          .check(z.nonnegative(), z.describe("Windows and terminals connected, besides this one.")),
        liveSessions: z.int().check(z.nonnegative()),
        memory: z.strictObject({ rss: bytes, heap: bytes }).check(z.describe("Bytes.")),
        cpuMs: z.number().check(z.nonnegative(), z.describe("CPU time used so far.")),
        idleMinutes: z
          .nullable(z.number())
          .check(z.describe("It ends after being of no use for this long; null never.")),
      }),
    ),
    home: z.string().check(z.describe("The folder of what is purser's own.")),
  })
  .check(z.meta({ title: "purser service status --json" }));

export type ServiceJson = z.infer<typeof serviceJson>;
