import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import { t } from "../../../engine/base/language.ts";
import { filterSelect } from "../../components/filter-select.ts";
import { icon } from "../../components/icon.ts";
import { outsideText } from "../../components/outside.ts";
import type { RenderContext } from "../page-model.ts";
import { agentsOf, filteredRules, isFiltering } from "./list-entries.ts";

/** With fewer rules a filter is of no use. */
const minToFilter = 8;

/** The head of the list, with the page's title. */
export function head(context: RenderContext): TemplateResult {
  const { actions, isLegendOpen } = context;
  const title = t("Rule Review");
  return html`<header class="list-head">
    <h1>${title}</h1>
    <button class="tool" @click=${() => actions.post({ type: "add" })}>
      ${icon("add")}<span>${t("Add Rule…")}</span>
    </button>
    <button
      class="tool"
      aria-label=${t("Keyboard Shortcuts")}
      aria-keyshortcuts="?"
      aria-expanded=${isLegendOpen ? "true" : "false"}
      title=${t("Keyboard Shortcuts (?)")}
      @click=${() => actions.toggleLegend()}
    >
      <kbd>?</kbd>
    </button>
    ${filters(context)}
  </header>`;
}

function filters({ model, actions }: RenderContext): TemplateResult | typeof nothing {
  const { filter } = model.kept;
  const total = model.view?.rules.length ?? 0;
  const isActive = isFiltering(filter);
  if (total < minToFilter && !isActive) return nothing;
  const agents = agentsOf(model);
  const options = agents.map((agent) => ({ value: agent, name: outsideText(agent, 40) }));
  return html`<div class="filters" role="search" aria-label=${t("Filter Rules")}>
    <input
      class="find"
      type="text"
      aria-label=${t("Filter rules by text")}
      aria-keyshortcuts="/"
      placeholder=${t("Filter ( / )")}
      maxlength="200"
      .value=${filter.text}
      @input=${(event: InputEvent) => {
        if (event.target instanceof HTMLInputElement) actions.filter({ ...filter, text: event.target.value });
      }}
    />
    ${
      agents.length < 2 && filter.agent === null
        ? nothing
        : filterSelect(t("Agent"), filter.agent, options, (agent) => actions.filter({ ...filter, agent }))
    }
    ${
      isActive
        ? html`<p class="quiet number found" aria-live="polite">
            ${t("{0} of {1} rules", wholeNumber(filteredRules(model).length), wholeNumber(total))}
            <button class="link" @click=${() => actions.filter({ agent: null, text: "" })}>
              ${t("Show All")}
            </button>
          </p>`
        : nothing
    }
  </div>`;
}
