import { nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { asSentence } from "../../engine/base/text.ts";
import type { Remedies, Trouble } from "./page-context.ts";
import { banner, stateView } from "./states.ts";

/** Fills a page that has nothing else to show. The heading does not repeat the message. */
export function troubleView({ type, message }: Trouble, actions: Remedies): TemplateResult {
  return stateView({
    icon: type === "offline" ? "disconnect" : "error",
    heading: type === "offline" ? t("The service is offline") : t("Nothing can be shown now"),
    text: asSentence(message),
    actions: [
      { label: t("Try Again"), run: () => actions.retry() },
      { label: t("Show Log"), run: () => actions.showLog() },
    ],
  });
}

/** A line above a page that is still useful. */
export function troubleBanner(
  trouble: Trouble | null,
  actions: Pick<Remedies, "retry">,
): TemplateResult | typeof nothing {
  return trouble === null
    ? nothing
    : banner(trouble.message, { label: t("Try Again"), run: () => actions.retry() });
}
