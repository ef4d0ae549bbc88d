/**
 * Zod with schemas that are made at their first use. A bundle that runs all day defines thousands of them and
 * uses few: each costs 1.1 kB and much of a program's start time, and one that is not made yet costs a tenth
 * of that. See `deferred-schemas.ts`.
 *
 * A definition is a proxy with the call that makes the schema. Any use of it makes the schema, by the same
 * call of zod's, and is passed on. Within a made schema there are no proxies: its parts are made with it.
 */
import * as zod from "zod";

// The names below replace those of zod; all others are zod's own, and accept what is deferred.
export * from "zod";

/** Names the call within a proxy. */
const call = Symbol("call");

/** Methods that return another schema of the same kind of value, for which theirs need not be made. */
const chained = new Set([
  "catch",
  "default",
  "describe",
  "exactOptional",
  "extend",
  "gt",
  "length",
  "lt",
  "max",
  "min",
  "nonnegative",
  "nullable",
  "nullish",
  "omit",
  "optional",
  "partial",
  "pick",
  "positive",
  "readonly",
  "refine",
  "regex",
  "startsWith",
  "trim",
]);

const traps = {
  get(target, key) {
    if (key === call) return target;
    if (target.made === undefined) {
      if (chained.has(key)) return (...given) => define(target, given, key);
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
export const boolean = /* @__PURE__ */ deferred(zod.boolean);
export const discriminatedUnion = /* @__PURE__ */ deferred(zod.discriminatedUnion);
const enumeration = /* @__PURE__ */ deferred(zod.enum);
export { enumeration as enum };
export const int = /* @__PURE__ */ deferred(zod.int);
export const literal = /* @__PURE__ */ deferred(zod.literal);
export const looseObject = /* @__PURE__ */ deferred(zod.looseObject);
export const number = /* @__PURE__ */ deferred(zod.number);
export const object = /* @__PURE__ */ deferred(zod.object);
export const record = /* @__PURE__ */ deferred(zod.record);
export const strictObject = /* @__PURE__ */ deferred(zod.strictObject);
export const string = /* @__PURE__ */ deferred(zod.string);
export const tuple = /* @__PURE__ */ deferred(zod.tuple);
export const union = /* @__PURE__ */ deferred(zod.union);
export const unknown = /* @__PURE__ */ deferred(zod.unknown);

const objects = new Set([zod.looseObject, zod.object, zod.strictObject]);
