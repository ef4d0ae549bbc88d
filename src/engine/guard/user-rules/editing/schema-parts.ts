import * as z from "zod";

/** Returns the schemas of an object's members. */
export function shapeOf(schema: z.ZodObject): Readonly<Record<string, z.core.$ZodType>> {
  return schema.shape;
}

/** Returns a schema without what says that it is optional, and the alternatives of one that has some. */
export function alternativesOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return alternativesOf(schema.unwrap());
  return schema instanceof z.ZodUnion ? schema.options.flatMap(alternativesOf) : [schema];
}

/** Returns what a schema says of itself; empty where it says nothing. */
export function descriptionOf(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodType && schema.description !== undefined) return schema.description;
  return schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
    ? descriptionOf(schema.unwrap())
    : "";
}
