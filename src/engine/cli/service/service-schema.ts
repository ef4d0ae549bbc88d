import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";

const bytes = z.int().check(z.nonnegative());

export const serviceJson = z
  .strictObject({
    schema: z.literal(1),
    running: z.boolean(),
    reason: described(z.nullable(sentenceSchema), "Why it does not run, or cannot be reached."),
    service: z.nullable(
      z.strictObject({
        pid: z.int(),
        version: z.string(),
        startedAt: z.iso.datetime(),
        uptimeSeconds: z.int().check(z.nonnegative()),
        clients: described(
          z.int().check(z.nonnegative()),
          "Windows and terminals connected, besides this one.",
        ),
        liveSessions: z.int().check(z.nonnegative()),
        memory: described(z.strictObject({ rss: bytes, heap: bytes }), "Bytes."),
        cpuMs: described(z.number().check(z.nonnegative()), "CPU time used so far."),
        idleMinutes: described(
          z.nullable(z.number()),
          "It ends after being of no use for this long; null never.",
        ),
      }),
    ),
    home: described(z.string(), "The folder of what is purser's own."),
  })
  .check(z.meta({ title: "purser service status --json" }));

export type ServiceJson = z.infer<typeof serviceJson>;
