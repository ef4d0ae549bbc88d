import * as z from "zod/mini";
import { sentenceOf, type Sentence } from "../../../base/text/sentence.ts";

/** Returns the schemas of an object's members. */
export function shapeOf(schema: z.ZodMiniObject): Readonly<Record<string, z.core.$ZodType>> {
  return schema.shape;
}

/** Returns a schema without what says that it is optional, and the alternatives of one that has some. */
export function alternativesOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodMiniDefault || schema instanceof z.ZodMiniOptional)
    return alternativesOf(schema.def.innerType);
  return schema instanceof z.ZodMiniUnion ? schema.def.options.flatMap(alternativesOf) : [schema];
}

/** Returns what a schema says of itself; null where it says nothing. */
export function descriptionOf(schema: z.core.$ZodType): Sentence | null {
  const description = z.globalRegistry.get(schema)?.description;
  if (description !== undefined) return sentenceOf(description);
  return schema instanceof z.ZodMiniDefault || schema instanceof z.ZodMiniOptional
    ? descriptionOf(schema.def.innerType)
    : null;
}
