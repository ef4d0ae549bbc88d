import { decimalNumber, percent, wholeNumber } from "../../engine/base/text/local-format.ts";
import type { Anomaly } from "../../engine/ledger/answers.ts";
import type { Translate } from "../editor/describe-editor.ts";

/** A notification's sentence about an anomaly: what it is, and what to do. */
export function anomalySentence(anomaly: Pick<Anomaly, "cause" | "value" | "usual">, t: Translate): string {
  const { cause, value, usual } = anomaly;
  switch (cause) {
    case "costly-run": {
      const todo = t("Check what it did before you start the next one.");
      if (value === null || usual === null || usual <= 0)
        return `${t("A run took far more tokens than its agent's runs usually do.")} ${todo}`;
      const times = decimalNumber(value / usual, 1);
      return `${t("A run took {0} tokens, {1} times what is usual.", wholeNumber(value), times)} ${todo}`;
    }
    case "stall":
      return t("The context grows with almost no output. Stop the agent and check what it reads.");
    case "cache-fall": {
      const todo = t("Each call costs more until the cache is warm again.");
      if (value === null || usual === null)
        return `${t("Less of the context comes from the cache than before.")} ${todo}`;
      const [now, before] = [percent(value * 100), percent(usual * 100)];
      return `${t("Only {0} of the context comes from the cache; before it was {1}.", now, before)} ${todo}`;
    }
  }
}
