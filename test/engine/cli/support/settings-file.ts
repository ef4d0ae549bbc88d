import * as z from "zod/mini";
import { modelOverride } from "../../../../src/engine/usage/catalogue/catalogue-overrides.ts";
import { settingsShape, partialSettings } from "../../../../src/engine/settings/shape.ts";

/** Schema of `~/.purser/settings.json` for editors. Reading is more lenient: see `readSettings`. */
export const settingsFile = z
  .extend(partialSettings, {
    models: z
      .optional(z.record(z.string(), modelOverride))
      .check(z.describe(z.globalRegistry.get(settingsShape.models)?.description ?? "")),
    $schema: z.optional(z.string()),
  })
  .check(z.meta({ title: "Settings of purser: ~/.purser/settings.json" }));
