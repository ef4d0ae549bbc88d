import type * as z from "zod/mini";

/** Returns where the first issue of a schema is; empty for the whole value. It needs no messages: see `schema-issues.ts`. */
export function issuePath({ issues }: z.core.$ZodError): readonly PropertyKey[] {
  return issues[0]?.path ?? [];
}
