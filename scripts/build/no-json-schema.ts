import type { Plugin } from "esbuild";

/** In place of zod's modules, by file: what other modules of zod import of them. */
const refusing: Readonly<Record<string, string>> = {
  "to-json-schema": `
    const refused = () => () => { throw new Error("JSON Schema is not in this bundle"); };
    export { refused as createToJSONSchemaMethod, refused as createStandardJSONSchemaMethod };`,
  // Every schema names its processor, for the modules left out to call.
  "json-schema-processors": "export const toJSONSchema = undefined;",
  "json-schema-generator": "export const JSONSchemaGenerator = undefined;",
};

/**
 * Leaves out zod's conversion of schemas to JSON Schema, which no program asks for: 19 kB of each bundle with schemas. Asked for all the
 * same, it throws.
 */
export const noJsonSchema: Plugin = {
  name: "no-json-schema",
  setup(bundle) {
    for (const [file, contents] of Object.entries(refusing))
      bundle.onLoad({ filter: new RegExp(String.raw`[\\/]zod[\\/]v4[\\/]core[\\/]${file}\.js$`) }, () => ({
        contents,
      }));
  },
};
