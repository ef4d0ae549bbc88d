import { nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/text/l10n.ts";
import { asSentence } from "../../engine/base/text/text.ts";
import { banner, stateView } from "./states.ts";

/** Why the host has no answer. Its message names what failed, and the reason. */
export interface Trouble {
  readonly type: "error" | "offline";
  readonly message: string;
}

/** Actions that may resolve it. */
export interface Remedies {
  retry(): void;
  showLog(): void;
}

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
