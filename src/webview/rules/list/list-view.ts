import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import { plural, t } from "../../../engine/base/language.ts";
import { isUnderWay } from "../../../engine/jobs/compare-answers.ts";
import type { MemoryView, RuleView } from "../../../engine/rules/rules-answers.ts";
import { icon } from "../../components/icon.ts";
import { outside, outsidePath, outsideText } from "../../components/outside.ts";
import { filled, spaced, inSentence } from "../../components/sentences.ts";
import type { RenderContext } from "../page-model.ts";
import { stateNames } from "../../experiments/describe-jobs.ts";
import {
  filteredRules,
  isFiltering,
  groupsOf,
  isSamePlace,
  listed,
  listedAgents,
  listedMemories,
  placeKey,
  agentsOf,
} from "./list-entries.ts";
import { learnedProjects } from "../describe-learned.ts";
import type { Place } from "../rules-protocol.ts";
import { jobOf, measuringOf, selectionAgents } from "../selection/selection.ts";
import { ruleText } from "../names.ts";
import { describeWorth, worthByAgent } from "./worth.ts";
import { setWord } from "../whole-set.ts";
import { trialAgents } from "../trial/describe-trial.ts";
import { filterSelect } from "../../components/filter-select.ts";

/**
 * Lists rules in groups with their counts, then the measurements and trials, then the memories that rules are compiled into. Each
 * group is a list box. All groups together are one tab stop; the arrow keys move from one group to the next.
 */
export function ruleList(context: RenderContext): TemplateResult | typeof nothing {
  const { model } = context;
  const { view } = model;
  if (view === null) return nothing;
  const agents = listedAgents(model, selectionAgents(model));
  const tried = listedAgents(model, trialAgents(model));
  const memories = listedMemories(model);
  const isFiltered = isFiltering(model.kept.filter);
  const projects = isFiltered ? [] : learnedProjects(model);
  const groups = groupsOf({ rules: filteredRules(model) }).filter(
    ({ rules }) => !isFiltered || rules.length > 0,
  );
  const stop = stopOf(model);
  return html`<div class="side">
    ${head(context)}
    <nav class="groups" aria-label=${t("Rules")}>
      ${isFiltered && groups.length === 0 ? html`<p class="quiet">${t("No rule matches the filter.")}</p>` : nothing}
      ${groups.map(({ name, rules }, index) => {
        const id = `group-${index}`;
        return html`<section>
          <div class="group-head">
            <h2 id=${id}>${name} <span class="count number">${wholeNumber(rules.length)}</span></h2>
            ${rules.length < 2 ? nothing : selectAll(context, name, rules)}
          </div>
          ${
            rules.length === 0
              ? html`<p class="quiet">${t("None")}</p>`
              : html`<ul role="listbox" aria-labelledby=${id}>
                  ${repeat(
                    rules,
                    (rule) => rule.id,
                    (rule) => ruleItem(context, rule, stop),
                  )}
                </ul>`
          }
        </section>`;
      })}
      ${
        agents.length === 0
          ? nothing
          : html`<section>
              <h2 id="selections">${t("Measure Rules")}</h2>
              <ul role="listbox" aria-labelledby="selections">
                ${agents.map((agent) => selectionItem(context, agent, stop))}
              </ul>
            </section>`
      }
      ${
        tried.length === 0
          ? nothing
          : html`<section>
              <h2 id="trials">${t("Trials on Real Work")}</h2>
              <ul role="listbox" aria-labelledby="trials">
                ${tried.map((agent) => trialItem(context, agent, stop))}
              </ul>
            </section>`
      }
      ${
        memories.length === 0
          ? nothing
          : html`<section>
              <h2 id="memories">${t("Memories")}</h2>
              <ul role="listbox" aria-labelledby="memories">
                ${memories.map((memory) => memoryItem(context, memory, stop))}
              </ul>
            </section>`
      }
      ${
        projects.length === 0
          ? nothing
          : html`<section>
              <h2 id="learned">${t("Learned")}</h2>
              <ul role="listbox" aria-labelledby="learned">
                ${projects.map((project) => projectItem(context, project, stop))}
              </ul>
            </section>`
      }
    </nav>
  </div>`;
}

/** The Tab key reaches the chosen entry, or the first if the chosen one is not listed. */
function stopOf(model: RenderContext["model"]): string | null {
  const places = listed(model).map(placeKey);
  const { place } = model.kept;
  const chosen = place === null ? null : placeKey(place);
  return places.find((each) => each === chosen) ?? places[0] ?? null;
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

function item({ model, actions }: RenderContext, place: Place, stop: string | null, content: unknown) {
  const isChosen = model.kept.place !== null && isSamePlace(model.kept.place, place);
  const isMarked = place.kind === "rule" ? model.marked.has(place.id) : null;
  const follow = (event: MouseEvent) => {
    const isBox = event.target instanceof Element && event.target.closest(".mark") !== null;
    if (place.kind !== "rule") actions.look(place);
    else if (event.shiftKey) actions.markTo(place.id);
    else if (isBox || event.ctrlKey || event.metaKey) actions.mark(place.id);
    else actions.look(place);
  };
  return html`<li
    class="item"
    role="option"
    data-place=${placeKey(place)}
    aria-selected=${isChosen ? "true" : "false"}
    aria-checked=${isMarked === null ? nothing : isMarked ? "true" : "false"}
    tabindex=${stop === placeKey(place) ? "0" : "-1"}
    @click=${follow}
  >
    ${content}
  </li>`;
}

function ruleItem(context: RenderContext, rule: RuleView, stop: string | null): TemplateResult {
  return item(
    context,
    { kind: "rule", id: rule.id },
    stop,
    html`<span class="mark" aria-hidden="true"
        >${context.model.marked.has(rule.id) ? icon("check") : nothing}</span
      >
      <bdi class="words">${ruleText(rule, 400)}</bdi>
      <span class="quiet facts-line"
        >${outside(rule.agent, 30)}${figureOf(rule)}${roundOf(context.model, rule)}</span
      >`,
  );
}

function selectionItem(context: RenderContext, agent: string, stop: string | null): TemplateResult {
  const job = jobOf(context.model, agent);
  const title = filled(t("Measure {0}"), outside(agent, 40));
  const word = job !== null && isUnderWay(job.state) ? inSentence(stateNames[job.state.kind].word) : null;
  return item(
    context,
    { kind: "selection", agent },
    stop,
    html`<span class="with-icon"
      >${icon("beaker")}<span
        >${word === null ? title : spaced(title, html`<span class="quiet">· ${word}</span>`)}</span
      ></span
    >`,
  );
}

function trialItem(context: RenderContext, agent: string, stop: string | null): TemplateResult {
  const title = filled(t("Try {0}"), outside(agent, 40));
  const isRunning = context.model.trials.some((trial) => trial.agent === agent && trial.stoppedAt === null);
  return item(
    context,
    { kind: "trial", agent },
    stop,
    html`<span class="with-icon"
      >${icon("beaker")}<span
        >${isRunning ? spaced(title, html`<span class="quiet">· ${t("running")}</span>`) : title}</span
      ></span
    >`,
  );
}

function memoryItem(
  context: RenderContext,
  { agent, state }: MemoryView,
  stop: string | null,
): TemplateResult {
  const isAsking = state === "edited" || state === "foreign" || state === "failed";
  return item(
    context,
    { kind: "memory", agent },
    stop,
    html`<span class="with-icon">${icon(isAsking ? "warning" : "file")}${outside(agent, 40)}</span>`,
  );
}

function projectItem(context: RenderContext, project: string, stop: string | null): TemplateResult {
  const count = context.model.learned.filter((each) => each.project === project).length;
  return item(
    context,
    { kind: "learned", project },
    stop,
    html`<span class="with-icon"
      >${icon("search")}<span
        >${outsidePath(project.split(/[\\/]/u).at(-1) ?? project, project, 40)}
        <span class="quiet">· ${wholeNumber(count)}</span></span
      ></span
    >`,
  );
}

function roundOf(model: RenderContext["model"], rule: RuleView): string {
  const measuring = measuringOf(model, rule);
  return measuring === null ? "" : ` · ${t("measuring, round {0}", wholeNumber(measuring.looks.length + 1))}`;
}

function figureOf(rule: RuleView): string {
  const { saving, isProtected, status, strikes } = rule;
  const parts = [
    status === "measured" ? t("passed") : "",
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

/** The head of the list, with the page's title. */
function head(context: RenderContext): TemplateResult {
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
    ${worthLine(context)} ${filters(context)}
  </header>`;
}

/** What the rules in memory cost and save, by agent: a session pays only for the rules of its own agent. */
function worthLine({ model }: RenderContext): TemplateResult | typeof nothing {
  const worth = worthByAgent(model.view?.rules ?? []);
  const [first, ...others] = worth;
  if (first === undefined) return nothing;
  const text = describeWorth(first);
  return html`<p class="quiet worth" title=${worth.map(describeWorth).join("\n")}>
    ${others.length === 0 ? text : plural(others.length, t("{0} · 1 more agent", text), t("{0} · {1} more agents", text, wholeNumber(others.length)))}
  </p>`;
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
