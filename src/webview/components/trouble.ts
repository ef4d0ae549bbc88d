import { nothing, type TemplateResult } from "lit";
import { banner, stateView } from "./states.ts";

/** Why the host has no answer, in a sentence of its own. */
export interface Trouble {
  readonly type: "error" | "offline";
  readonly message: string;
}

/** What a person can do about it. */
export interface Remedies {
  retry(): void;
  showLog(): void;
}

/** Fills the page when there is nothing else to show. @param headings what the panel calls each kind of trouble */
export function troubleView(
  { type, message }: Trouble,
  actions: Remedies,
  headings: Partial<Readonly<Record<Trouble["type"], string>>> = {},
): TemplateResult {
  const { offline = "The service is offline", error = "That did not work" } = headings;
  return stateView({
    icon: type === "offline" ? "disconnect" : "error",
    heading: type === "offline" ? offline : error,
    text: message,
    actions: [
      { label: "Try Again", run: () => actions.retry() },
      { label: "Show Log", run: () => actions.showLog() },
    ],
  });
}

/** Stands above a page that is still worth reading. */
export function troubleBanner(
  trouble: Trouble | null,
  actions: Pick<Remedies, "retry">,
): TemplateResult | typeof nothing {
  return trouble === null
    ? nothing
    : banner(trouble.message, { label: "Try Again", run: () => actions.retry() });
}
