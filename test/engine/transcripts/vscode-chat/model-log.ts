import { isObject } from "../../../../src/engine/base/parse.ts";
import { maxTextLength } from "../../../../src/engine/transcripts/vscode-chat/kept-value.ts";

/** A step of a path, as in an entry's `k`. */
export type Step = string | number;

/** One entry of a log, as VS Code writes it. */
export interface Entry {
  readonly kind: number;
  readonly k?: readonly Step[];
  readonly v?: unknown;
  readonly i?: number;
}

/** Plain description of the stored part: a name stores a scalar, a list its elements, an object its members. */
export type Plain = "scalar" | readonly [Plain] | { readonly [key: string]: Plain };

/**
 * The simplest replay of a log: holds the whole state in memory, and applies each entry to it as VS Code does. Returns
 * the states after each entry; an entry that cannot be applied changes nothing.
 */
export function replay(entries: readonly Entry[]): unknown[] {
  let state: unknown;
  return entries.map((entry) => {
    state = applied(structuredClone(state), entry);
    return structuredClone(state);
  });
}

function applied(state: unknown, { kind, k = [], v, i }: Entry): unknown {
  if (kind === 0) return structuredClone(v);
  const last = k.at(-1);
  const holder = k.slice(0, -1).reduce<unknown>(memberOf, state);
  if (last === undefined) return state;
  if (kind !== 2) {
    put(holder, last, kind === 1 ? structuredClone(v) : undefined);
    return state;
  }
  const held = memberOf(holder, last);
  const list: unknown[] = Array.isArray(held) ? held : [];
  list.splice(i ?? list.length);
  const items: unknown = structuredClone(v);
  if (Array.isArray(items)) for (const item of items) list.push(item);
  put(holder, last, list);
  return state;
}

function memberOf(holder: unknown, step: Step): unknown {
  if (Array.isArray(holder) && typeof step === "number") return holder[step];
  return isObject(holder) && typeof step === "string" ? holder[step] : undefined;
}

function put(holder: unknown, step: Step, value: unknown): void {
  if (Array.isArray(holder) && typeof step === "number") holder[step] = value ?? null;
  else if (isObject(holder) && typeof step === "string") {
    if (value === undefined) Reflect.deleteProperty(holder, step);
    else Reflect.set(holder, step, value);
  }
}

/** The part of a whole value that a shape stores; undefined where it does not fit. */
export function pruned(value: unknown, shape: Plain): unknown {
  if (shape === "scalar") {
    if (typeof value === "string") return value.slice(0, maxTextLength);
    return typeof value === "object" ? (value === null ? null : undefined) : value;
  }
  if (isPair(shape)) {
    if (!Array.isArray(value)) return undefined;
    return value.map((item: unknown) => pruned(item, shape[0]) ?? null);
  }
  if (!isObject(value)) return undefined;
  const kept = Object.entries(shape).map(([key, inner]): [string, unknown] => [
    key,
    Object.hasOwn(value, key) ? pruned(value[key], inner) : undefined,
  ]);
  return Object.fromEntries(kept.filter(([, each]) => each !== undefined));
}

function isPair(shape: Exclude<Plain, "scalar">): shape is readonly [Plain] {
  return Array.isArray(shape);
}
