import * as z from "zod";
import { modelOverride } from "../../../../src/engine/usage/catalogue-overrides.ts";
import { settingsShape, partialSettings } from "../../../../src/engine/settings/shape.ts";

/** Schema of `~/.purser/settings.json` for editors. Reading is more lenient: see `readSettings`. */
export const settingsFile = partialSettings
  .extend({
    models: z
      .record(z.string(), modelOverride)
      .optional()
      .describe(settingsShape.models.description ?? ""),
    $schema: z.string().optional(),
  })
  .meta({ title: "Settings of purser: ~/.purser/settings.json" });
