import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { outsideText } from "../components/outside.ts";
import type { RenderContext } from "./page-model.ts";

/** Leads to the same page of another agent. Hidden if there is none. */
export function otherAgents(
  { actions }: RenderContext,
  { kind, agent }: { readonly kind: "selection" | "trial" | "memory"; readonly agent: string },
  agents: readonly string[],
): TemplateResult | typeof nothing {
  if (!agents.some((other) => other !== agent)) return nothing;
  const all = [...new Set([...agents, agent])].sort();
  return html`<label class="filter"
    >${t("Agent")}
    <select
      @change=${({ currentTarget }: Event) => {
        const chosen =
          currentTarget instanceof HTMLSelectElement ? all[currentTarget.selectedIndex] : undefined;
        if (chosen !== undefined) actions.look({ kind, agent: chosen });
      }}
    >
      ${all.map((each) => html`<option .selected=${each === agent}>${outsideText(each, 60)}</option>`)}
    </select></label
  >`;
}
