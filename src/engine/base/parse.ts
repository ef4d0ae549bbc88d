import type * as z from "zod/mini";

export { parseYaml, type ParsedYaml, type YamlFault } from "./parse-yaml.ts";

/** Whether a value is an object, but neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns where the first issue of a schema is; empty for the whole value. It needs no messages: see `schema-issues.ts`. */
export function issuePath({ issues }: z.core.$ZodError): readonly PropertyKey[] {
  return issues[0]?.path ?? [];
}

/** Parses JSON; returns undefined, which no JSON is, for an invalid text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON of a known shape; returns null for any other text. */
export function readJson<Value>(schema: z.ZodMiniType<Value>, text: string | null | undefined): Value | null {
  return schema.safeParse(parseJson(text ?? "")).data ?? null;
}
