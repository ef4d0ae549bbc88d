import type { ZodMiniType as ZodType } from "zod/mini";

/** Whether a value is valid for a schema, without parsing it. */
export type ValueCheck = (value: unknown) => boolean;

/**
 * Checks, by the definition inside a schema: a bundle defines schemas before it creates them, and the created schema is
 * another object.
 */
const known = new WeakMap<object, ValueCheck>();
/** Registered, but perhaps not created yet: max programs never use them. */
const registered: (readonly [ZodType, ValueCheck])[] = [];

/**
 * Registers a handwritten check for a schema. Every value that `isPlain` accepts is accepted by the schema, unchanged.
 */
export function withCheck<Schema extends ZodType>(schema: Schema, isPlain: ValueCheck): Schema {
  registered.push([schema, isPlain]);
  return schema;
}

/** The schema's handwritten check, or undefined if it has none. */
export function checkOf(schema: ZodType): ValueCheck | undefined {
  for (const [each, isPlain] of registered.splice(0)) known.set(each._zod, isPlain);
  return known.get(schema._zod);
}

export function isText(max: number, min = 0): ValueCheck {
  return (value) => typeof value === "string" && value.length <= max && value.length >= min;
}

export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

export function isCount(value: unknown): boolean {
  return isWhole(value) && value >= 0;
}

export function isNumber(value: unknown): boolean {
  return Number.isFinite(value);
}

export function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

export function isChoice(words: readonly string[]): ValueCheck {
  return (value) => typeof value === "string" && words.includes(value);
}

/** Also accepts null and undefined. */
export function maybe(isPlain: ValueCheck): ValueCheck {
  return (value) => value === undefined || value === null || isPlain(value);
}

/** An object with these members, and any others. */
export function isObjectOf(members: Readonly<Record<string, ValueCheck>>): ValueCheck {
  const entries = Object.entries(members);
  return (value) => isRecord(value) && entries.every(([key, isPlain]) => isPlain(value[key]));
}

/** An object with no prototype but `Object.prototype` or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
