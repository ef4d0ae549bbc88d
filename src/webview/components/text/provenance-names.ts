import { t } from "../../../engine/base/text/l10n.ts";

/** Names a figure's origin in a word. */
export const provenanceNames = {
  official: t("official"),
  measured: t("measured"),
  estimated: t("estimated"),
  unknown: t("unknown"),
} as const;
