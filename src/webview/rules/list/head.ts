import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../../engine/base/text/format.ts";
import { filterSelect } from "../../components/filter-select.ts";
import { icon } from "../../components/icon.ts";
import { outsideText } from "../../components/outside.ts";
import type { RenderContext } from "../actions.ts";
import { agentsOf, filteredRules, isFiltering } from "./filter.ts";

/** With fewer rules a filter is of no use. */
const fewestToFilter = 8;

/** The head of the list. Its title is the page's heading when nothing is beside the list. */
export function head(context: RenderContext): TemplateResult {
  const { actions, isNarrow, isLegendOpen } = context;
  const title = "Rule Review";
  return html`<header class="list-head">
    ${isNarrow ? html`<h1>${title}</h1>` : html`<p class="list-title">${title}</p>`}
    <button class="tool" @click=${() => actions.post({ type: "add" })}>
      ${icon("add")}<span>Add Rule…</span>
    </button>
    <button
      class="tool"
      aria-label="Keyboard Shortcuts"
      aria-keyshortcuts="?"
      aria-expanded=${isLegendOpen ? "true" : "false"}
      title="Keyboard Shortcuts (?)"
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
  if (total < fewestToFilter && !isActive) return nothing;
  const agents = agentsOf(model);
  const options = agents.map((agent) => ({ value: agent, name: outsideText(agent, 40) }));
  return html`<div class="filters" role="search" aria-label="Filter Rules">
    <input
      class="find"
      type="text"
      aria-label="Filter rules by text"
      aria-keyshortcuts="/"
      placeholder="Filter ( / )"
      maxlength="200"
      .value=${filter.text}
      @input=${(event: InputEvent) => {
        if (event.target instanceof HTMLInputElement) actions.filter({ ...filter, text: event.target.value });
      }}
    />
    ${
      agents.length < 2 && filter.agent === null
        ? nothing
        : filterSelect("Agent", filter.agent, options, (agent) => actions.filter({ ...filter, agent }))
    }
    ${
      isActive
        ? html`<p class="quiet number found" aria-live="polite">
            ${wholeNumber(filteredRules(model).length)} of ${wholeNumber(total)} rules
            <button class="link" @click=${() => actions.filter({ agent: null, text: "" })}>Show All</button>
          </p>`
        : nothing
    }
  </div>`;
}
