import type { Translation } from "../../../src/engine/base/text/l10n.ts";

export function german(messages: Readonly<Record<string, string>>): Translation {
  return { language: "de", messages };
}
