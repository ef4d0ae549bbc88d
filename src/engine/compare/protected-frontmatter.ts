import * as z from "zod";
import { fail, succeed, type Result } from "../base/result.ts";
import { readFrontmatter } from "../bench/golden/frontmatter.ts";

/** What a rewrite of an agent may say differently: what it is for, in words. Everything else is what it may do, with what, and as whom. */
const free = new Set(["description"]);
/** Every field there is, whatever it is called: a schema of an object would leave `__proto__` out. */
const fields = z
  .custom<object>((value) => typeof value === "object" && value !== null && !Array.isArray(value))
  .transform((value) => new Map<string, unknown>(Object.entries(value)));

/**
 * Whether a rewritten agent has the same name, tools, model, memory and whatever else its frontmatter gives it. One that takes a tool
 * for itself, or another model, is cheaper or dearer for a reason that is not its prompt, and may do what nobody allowed it.
 */
export function keepsProtected(
  shipped: string,
  rewritten: string,
): Result<null, "bad_frontmatter" | "protected"> {
  const changed = changedFields(shipped, rewritten);
  if (!changed.ok) return changed;
  if (changed.value.length === 0) return succeed(null);
  return fail(
    "protected",
    `It changes ${changed.value.join(", ")} of the frontmatter, which must stay as it is`,
  );
}

/** What of an agent's frontmatter another text of it has otherwise, besides what is free. */
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
