import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

const instead = fileURLToPath(new URL("deferred-zod.mjs", import.meta.url));

/** Makes a bundle's schemas at their first use, not as the program starts: see `deferred-zod.mjs`. */
export const deferredSchemas: Plugin = {
  name: "deferred-schemas",
  setup(bundle) {
    bundle.onResolve({ filter: /^zod\/mini$/ }, ({ importer }) =>
      importer === instead ? undefined : { path: instead, sideEffects: false },
    );
  },
};
