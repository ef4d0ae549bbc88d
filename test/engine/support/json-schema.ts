import * as z from "zod";
import { sentenceSchema } from "../../../src/engine/base/sentence-schema.ts";

type Options = Pick<NonNullable<Parameters<typeof z.toJSONSchema>[1]>, "target" | "io">;

const { out: toSentence } = sentenceSchema.def;

/** Returns the JSON Schema of what a command prints, where each sentence is its English text. */
export function jsonSchemaOf(shape: z.core.$ZodType, options: Options = {}) {
  return z.toJSONSchema(shape, {
    ...options,
    unrepresentable: ({ zodSchema }) => (zodSchema instanceof z.core.$ZodTransform ? "any" : "throw"),
    override: ({ zodSchema, jsonSchema }) => {
      if (options.io === "input" || !changesValues(zodSchema)) return;
      const text = textOf(zodSchema);
      if (text === null) throw new Error("a change of values other than to sentences");
      // The description is the last member, as in the schema of a text.
      const { description } = jsonSchema;
      delete jsonSchema.description;
      const words = z.toJSONSchema(text);
      delete words.$schema;
      Object.assign(jsonSchema, words, description === undefined ? {} : { description });
    },
  });
}

/** Returns the schema of a sentence's text, or null for a schema of something else. */
function textOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  if (!changesValues(schema)) return null;
  const { in: from, out } = schema._zod.def;
  if (out !== toSentence) return textOf(from);
  return from instanceof z.core.$ZodUnion ? (from._zod.def.options[0] ?? null) : null;
}

function changesValues(schema: z.core.$ZodType): schema is z.core.$ZodPipe {
  return schema instanceof z.core.$ZodPipe && schema._zod.def.out instanceof z.core.$ZodTransform;
}
