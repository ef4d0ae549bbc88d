import { t } from "../../base/text/l10n.ts";
import type { WakeOutcome } from "../../ledger/entries/woken.ts";

/** Names of wakes' outcomes, in the language of the terminal. */
export const outcomeWords: Readonly<Record<WakeOutcome, string>> = {
  completed: t("completed"),
  limit: t("limit"),
  failed: t("failed"),
  environment: t("environment"),
  cancelled: t("cancelled"),
  interrupted: t("interrupted"),
};
