/**
 * Zod with schemas that are made at their first use. A bundle that runs all day defines thousands of them and
 * uses few: each costs 0.9 kB and much of a program's start time, and one that is not made yet costs a tenth
 * of that. See `deferred-schemas.ts`.
 *
 * A definition is a proxy with the call that makes the schema. Any use of it makes the schema, by the same
 * call of zod's, and is passed on. Within a made schema there are no proxies: its parts are made with it.
 */
import * as zod from "zod/mini";

// The names below replace those of zod; all others are zod's own, and accept what is deferred.
export * from "zod/mini";

/** Names the call within a proxy. */
const call = Symbol("call");

const traps = {
  get(target, key) {
    if (key === call) return target;
    if (target.made === undefined) {
      // The only method that returns a schema.
      if (key === "check") return (...given) => define(target, given, key);
      // The shape of an object, often spread into another one.
      if (key === "shape" && objects.has(target.build)) return target.given[0];
    }
    return Reflect.get(make(target), key);
  },
  set: (target, key, value) => Reflect.set(make(target), key, value),
  has: (target, key) => Reflect.has(make(target), key),
  getPrototypeOf: (target) => Reflect.getPrototypeOf(make(target)),
};

/**
 * @param build a builder of zod's, or the call that returns a schema with a method
 * @param method its name, if it is one
 */
function define(build, given, method) {
  return new Proxy({ build, given, method, made: undefined }, traps);
}

function make(target) {
  if (target.made === undefined) {
    const { build, given, method } = target;
    const made = given.map(madeWithin);
    target.made = method === undefined ? build(...made) : make(build)[method](...made);
    // Nothing is held twice.
    target.build = target.given = undefined;
  }
  return target.made;
}

/** An argument of a builder, with every schema in it made: a schema, a list or record of schemas, or no schema at all. */
function madeWithin(value) {
  if (typeof value !== "object" || value === null) return value;
  const target = value[call];
  if (target !== undefined) return make(target);
  if (Array.isArray(value)) return value.map(madeWithin);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, madeWithin(each)]));
}

const deferred =
  (build) =>
  (...given) =>
    define(build, given);

export const array = /* @__PURE__ */ deferred(zod.array);
export const base64 = /* @__PURE__ */ deferred(zod.base64);
export const boolean = /* @__PURE__ */ deferred(zod.boolean);
const caught = /* @__PURE__ */ deferred(zod.catch);
export { caught as catch };
export const discriminatedUnion = /* @__PURE__ */ deferred(zod.discriminatedUnion);
export const _default = /* @__PURE__ */ deferred(zod._default);
const enumeration = /* @__PURE__ */ deferred(zod.enum);
export { enumeration as enum };
export const exactOptional = /* @__PURE__ */ deferred(zod.exactOptional);
export const extend = /* @__PURE__ */ deferred(zod.extend);
export const int = /* @__PURE__ */ deferred(zod.int);
export const literal = /* @__PURE__ */ deferred(zod.literal);
export const looseObject = /* @__PURE__ */ deferred(zod.looseObject);
export const nullable = /* @__PURE__ */ deferred(zod.nullable);
export const nullish = /* @__PURE__ */ deferred(zod.nullish);
export const number = /* @__PURE__ */ deferred(zod.number);
export const object = /* @__PURE__ */ deferred(zod.object);
export const omit = /* @__PURE__ */ deferred(zod.omit);
export const optional = /* @__PURE__ */ deferred(zod.optional);
export const partial = /* @__PURE__ */ deferred(zod.partial);
export const partialRecord = /* @__PURE__ */ deferred(zod.partialRecord);
export const pick = /* @__PURE__ */ deferred(zod.pick);
export const pipe = /* @__PURE__ */ deferred(zod.pipe);
export const readonly = /* @__PURE__ */ deferred(zod.readonly);
export const record = /* @__PURE__ */ deferred(zod.record);
export const strictObject = /* @__PURE__ */ deferred(zod.strictObject);
export const string = /* @__PURE__ */ deferred(zod.string);
export const tuple = /* @__PURE__ */ deferred(zod.tuple);
export const union = /* @__PURE__ */ deferred(zod.union);
export const unknown = /* @__PURE__ */ deferred(zod.unknown);

// Checks of a value.
export const describe = /* @__PURE__ */ deferred(zod.describe);
export const gt = /* @__PURE__ */ deferred(zod.gt);
export const length = /* @__PURE__ */ deferred(zod.length);
export const lt = /* @__PURE__ */ deferred(zod.lt);
export const maxLength = /* @__PURE__ */ deferred(zod.maxLength);
export const maximum = /* @__PURE__ */ deferred(zod.maximum);
export const meta = /* @__PURE__ */ deferred(zod.meta);
export const minLength = /* @__PURE__ */ deferred(zod.minLength);
export const minimum = /* @__PURE__ */ deferred(zod.minimum);
export const nonnegative = /* @__PURE__ */ deferred(zod.nonnegative);
export const overwrite = /* @__PURE__ */ deferred(zod.overwrite);
export const positive = /* @__PURE__ */ deferred(zod.positive);
export const refine = /* @__PURE__ */ deferred(zod.refine);
export const regex = /* @__PURE__ */ deferred(zod.regex);
export const trim = /* @__PURE__ */ deferred(zod.trim);

const objects = new Set([zod.looseObject, zod.object, zod.strictObject]);

/** Finds the description of a schema, which is registered for the one that is made. */
export const globalRegistry = { get: (schema) => zod.globalRegistry.get(madeWithin(schema)) };
