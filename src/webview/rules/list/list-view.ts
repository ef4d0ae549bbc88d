import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import { t } from "../../../engine/base/language.ts";
import type { RuleView } from "../../../engine/rules/rules-answers.ts";
import { icon } from "../../components/icon.ts";
import { outside, outsideText } from "../../components/outside.ts";
import { tabPanel, tabStrip } from "../../components/tabs.ts";
import type { RenderContext } from "../page-model.ts";
import { agentsOf, filteredRules, groupsOf, isFiltering, listedRules, tabIn, tabOf } from "./list-entries.ts";
import { tabs, type Tab } from "../rules-protocol.ts";
import { measuringOf } from "../selection/selection.ts";
import { ruleText, tabNames } from "../names.ts";
import { gradeWord } from "../grade.ts";
import { setWord } from "../whole-set.ts";
import { filterSelect } from "../../components/filter-select.ts";

/**
 * Lists the rules of one tab in groups with their counts. Each group is a list box. All groups together are one tab stop; the
 * arrow keys move from one group to the next.
 */
export function ruleList(context: RenderContext): TemplateResult | typeof nothing {
  const { model, actions } = context;
  if (model.view === null) return nothing;
  const rules = filteredRules(model);
  const tab = tabIn(model);
  const groups = groupsOf(rules, tab);
  const stop = stopOf(model);
  return html`<div class="side">
    ${filters(context)}
    ${tabStrip(
      {
        label: t("Rules"),
        chosen: tab,
        tabs: tabs.map((id) => ({
          id,
          label: tabNames[id],
          count: rules.filter((rule) => tabOf(rule) === id).length,
        })),
      },
      (id) => actions.chooseTab(id),
    )}
    <div class="tab-panel" role="tabpanel" id=${tabPanel} aria-labelledby="tab-${tab}">
      <nav class="groups" aria-label=${t("Rules")}>
        ${groups.length === 0 ? html`<p class="quiet">${isFiltering(model.kept.filter) ? t("No rule matches the filter.") : emptyTexts[tab]}</p>` : nothing}
        ${groups.map((group, index) => groupOf(context, group, { id: `group-${index}`, stop }))}
      </nav>
    </div>
  </div>`;
}

const emptyTexts: Readonly<Record<Tab, string>> = {
  waiting: t("Nothing waits for you."),
  memory: t("No rule is in an agent's memory."),
  archive: t("No rule was paused or removed."),
};

function groupOf(
  context: RenderContext,
  { name, agent, rules }: ReturnType<typeof groupsOf>[number],
  { id, stop }: { readonly id: string; readonly stop: string | null },
): TemplateResult {
  return html`<section>
    <div class="group-head">
      <h2 id=${id}>${name} <span class="count number">${wholeNumber(rules.length)}</span></h2>
      ${agent === null ? nothing : memoryLink(context, agent)}
      ${rules.length < 2 ? nothing : selectAll(context, name, rules)}
    </div>
    <ul role="listbox" aria-labelledby=${id}>
      ${repeat(
        rules,
        (rule) => rule.id,
        (rule) => ruleItem(context, rule, stop),
      )}
    </ul>
  </section>`;
}

/** Opens the page of an agent's memory file. */
function memoryLink({ model, actions }: RenderContext, agent: string): TemplateResult | typeof nothing {
  const memory = model.view?.memories.find((each) => each.agent === agent);
  if (memory === undefined) return nothing;
  const isAsking = memory.state === "edited" || memory.state === "foreign" || memory.state === "failed";
  return html`<button
    class="tool"
    aria-label=${t("Memory of {0}", outsideText(agent, 40))}
    @click=${() => actions.look({ kind: "memory", agent })}
  >
    ${icon(isAsking ? "warning" : "file")}<span>${t("Memory")}</span>
  </button>`;
}

/** The Tab key reaches the chosen rule, or the first if the chosen one is not listed. */
function stopOf(model: RenderContext["model"]): string | null {
  const rules = listedRules(model);
  const { place } = model.kept;
  const chosen = place?.kind === "rule" ? place.id : null;
  return (rules.find(({ id }) => id === chosen) ?? rules[0])?.id ?? null;
}

/**
 * Selects all of a group with the mouse. Ctrl+A selects the whole list, so this needs no stop of the Tab key.
 */
function selectAll(
  { model, actions }: RenderContext,
  name: string,
  rules: readonly RuleView[],
): TemplateResult {
  const isAll = rules.every(({ id }) => model.marked.has(id));
  return html`<button
    class="tool"
    tabindex="-1"
    aria-label=${isAll ? t("Clear the selection of {0}", name) : t("Select all of {0}", name)}
    @click=${() => actions.markAll(rules.map(({ id }) => id))}
  >
    ${isAll ? t("Clear") : t("Select All")}
  </button>`;
}

function ruleItem(context: RenderContext, rule: RuleView, stop: string | null): TemplateResult {
  const { model, actions } = context;
  const { id } = rule;
  const isChosen = model.kept.place?.kind === "rule" && model.kept.place.id === id;
  const isMarked = model.marked.has(id);
  const follow = (event: MouseEvent) => {
    const isBox = event.target instanceof Element && event.target.closest(".mark") !== null;
    if (event.shiftKey) actions.markTo(id);
    else if (isBox || event.ctrlKey || event.metaKey) actions.mark(id);
    else actions.look({ kind: "rule", id });
  };
  return html`<li
    class="item"
    role="option"
    data-rule=${id}
    aria-selected=${isChosen ? "true" : "false"}
    aria-checked=${isMarked ? "true" : "false"}
    tabindex=${stop === id ? "0" : "-1"}
    @click=${follow}
  >
    <span class="mark" aria-hidden="true">${isMarked ? icon("check") : nothing}</span>
    <bdi class="words">${ruleText(rule, 400)}</bdi>
    <span class="quiet facts-line">${outside(rule.agent, 30)}${figureOf(rule)}${roundOf(model, rule)}</span>
  </li>`;
}

function roundOf(model: RenderContext["model"], rule: RuleView): string {
  const measuring = measuringOf(model, rule);
  return measuring === null ? "" : ` · ${t("measuring, round {0}", wholeNumber(measuring.looks.length + 1))}`;
}

function figureOf(rule: RuleView): string {
  const { saving, isProtected, strikes } = rule;
  const parts = [
    gradeWord(rule),
    saving === null
      ? ""
      : saving < 0
        ? t("costs {0}", wholeNumber(-saving))
        : t("saves {0}", wholeNumber(saving)),
    setWord(rule),
    isProtected ? t("protected") : "",
    strikes > 0 ? t("does not save its cost") : "",
  ].filter((part) => part !== "");
  return parts.map((part) => ` · ${part}`).join("");
}

/** With fewer rules a filter is of no use. */
const minToFilter = 8;

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
