import { t } from "../../../engine/base/text/l10n.ts";

/** Where a figure comes from, in a word. */
export const provenanceNames = {
  official: t("official"),
  measured: t("measured"),
  estimated: t("estimated"),
  unknown: t("unknown"),
} as const;
