import type { ZodMiniType as ZodType } from "zod/mini";
import { ledgerEntry, type LedgerEntry } from "./entries-entry.ts";
import { checkOf, isRecord, type ValueCheck } from "./plain-value.ts";

/** Each kind's fields with their handwritten checks. A kind with an unchecked field is left to the schema. */
const kinds = new Map<unknown, readonly (readonly [string, ValueCheck])[]>();
for (const { shape } of ledgerEntry.def.options) {
  const { kind, ...rest } = shape;
  const fields: Readonly<Record<string, ZodType>> = rest;
  const plain = Object.entries(fields).map(([name, schema]) => [name, checkOf(schema)] as const);
  const checks = plain.flatMap(([name, isPlain]) =>
    isPlain === undefined ? [] : [[name, isPlain] as const],
  );
  if (checks.length === plain.length) kinds.set(kind.def.values[0], checks);
}

/**
 * Whether a value is a valid entry as it is, by handwritten checks in a tenth of the schema's time. A rejected value
 * may still be valid for the schema; a property test holds that it is never the other way round.
 */
export function isPlainEntry(value: unknown): value is LedgerEntry {
  if (!isRecord(value)) return false;
  const fields = kinds.get(value["kind"]);
  if (fields === undefined) return false;
  for (const [name, isPlain] of fields) if (!isPlain(value[name])) return false;
  return true;
}
