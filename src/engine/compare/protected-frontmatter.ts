import { sentence } from "../base/language.ts";
import * as z from "zod/mini";
import { fail, succeed, type Result } from "../base/result.ts";
import { readFrontmatter } from "../bench/frontmatter.ts";

/** Fields that a rewrite of an agent may change: its description in words. All others decide what it may do, with what, and as whom. */
const free = new Set(["description"]);
/** Accepts every field under any name: an object schema would drop `__proto__`. */
const fields = z.pipe(
  z.custom<object>((value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value)),
  z.transform((value) => new Map<string, unknown>(Object.entries(value))),
);

/** A rewrite that adds a tool or changes the model changes the cost for another reason than its prompt, and may do what was not allowed. */
export function keepsProtected(
  shipped: string,
  rewritten: string,
): Result<null, "bad_frontmatter" | "protected"> {
  const changed = changedFields(shipped, rewritten);
  if (!changed.ok) return changed;
  if (changed.value.length === 0) return succeed(null);
  return fail(
    "protected",
    sentence("It changes {0} of the frontmatter, which must stay as it is", changed.value.join(", ")),
  );
}

/** Names of fields that differ, except the free ones. */
export function changedFields(shipped: string, other: string): Result<string[], "bad_frontmatter"> {
  const before = readFrontmatter(shipped, fields);
  if (!before.ok) return before;
  const after = readFrontmatter(other, fields);
  if (!after.ok) return after;
  const names = [...new Set([...before.value.keys(), ...after.value.keys()])].sort();
  return succeed(
    names.filter(
      (name) => !free.has(name) && written(before.value.get(name)) !== written(after.value.get(name)),
    ),
  );
}

function written(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value);
}
