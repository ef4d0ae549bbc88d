import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { wholeNumber } from "../../engine/base/text/format.ts";
import { isUnderWay } from "../../engine/jobs/answers/stages.ts";
import type { MemoryView, RuleView } from "../../engine/rules/answers.ts";
import { icon } from "../components/icon.ts";
import { outside, outsidePath } from "../components/outside.ts";
import type { RenderContext } from "./actions.ts";
import { stateNames } from "../bench/describe.ts";
import { groupsOf } from "./groups.ts";
import { learnedProjects } from "./learned/describe.ts";
import { isSamePlace, listed, placeKey } from "./order.ts";
import type { Place } from "./protocol.ts";
import { jobOf, measuringOf, selectionAgents } from "./selection/selection.ts";
import { ruleText } from "./describe.ts";
import { setWord } from "./whole-set.ts";
import { trialAgents } from "./trial/describe.ts";

/**
 * Lists rules in groups with their counts, then the measurements and trials, then the memories that rules are compiled into. Each
 * group is a list box. All groups together are one tab stop; the arrow keys move from one group to the next.
 */
export function ruleList(context: RenderContext): TemplateResult | typeof nothing {
  const { model } = context;
  const { view } = model;
  if (view === null) return nothing;
  const agents = selectionAgents(model);
  const tried = trialAgents(model);
  const projects = learnedProjects(model);
  const stop = stopOf(model);
  return html`<nav aria-label="Rules">
    ${head(context)}
    <div class="groups">
      ${groupsOf(view).map(({ name, rules }) => {
        const id = `group-${name.replaceAll(/\W+/gu, "-")}`;
        return html`<section>
          <h2 id=${id}>${name} <span class="count number">${wholeNumber(rules.length)}</span></h2>
          ${
            rules.length === 0
              ? html`<p class="quiet">None</p>`
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
              <h2 id="selections">Selection</h2>
              <ul role="listbox" aria-labelledby="selections">
                ${agents.map((agent) => selectionItem(context, agent, stop))}
              </ul>
            </section>`
      }
      ${
        tried.length === 0
          ? nothing
          : html`<section>
              <h2 id="trials">Trials on Real Work</h2>
              <ul role="listbox" aria-labelledby="trials">
                ${tried.map((agent) => trialItem(context, agent, stop))}
              </ul>
            </section>`
      }
      ${
        view.memories.length === 0
          ? nothing
          : html`<section>
              <h2 id="memories">Memories</h2>
              <ul role="listbox" aria-labelledby="memories">
                ${view.memories.map((memory) => memoryItem(context, memory, stop))}
              </ul>
            </section>`
      }
      ${
        projects.length === 0
          ? nothing
          : html`<section>
              <h2 id="learned">Learned</h2>
              <ul role="listbox" aria-labelledby="learned">
                ${projects.map((project) => projectItem(context, project, stop))}
              </ul>
            </section>`
      }
    </div>
  </nav>`;
}

/** The head of the list. Its title is the page's heading when nothing is beside the list. */
function head({ actions, isNarrow, isLegendOpen }: RenderContext): TemplateResult {
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
  </header>`;
}

/** The Tab key reaches the chosen entry, or the first if the chosen one is not listed. */
function stopOf(model: RenderContext["model"]): string | null {
  const places = listed(model).map(placeKey);
  const { place } = model.kept;
  const chosen = place === null ? null : placeKey(place);
  return places.find((each) => each === chosen) ?? places[0] ?? null;
}

function item({ model, actions }: RenderContext, place: Place, stop: string | null, content: unknown) {
  const isChosen = model.kept.place !== null && isSamePlace(model.kept.place, place);
  return html`<li
    class="item"
    role="option"
    data-place=${placeKey(place)}
    aria-selected=${isChosen ? "true" : "false"}
    tabindex=${stop === placeKey(place) ? "0" : "-1"}
    @click=${() => actions.look(place)}
  >
    ${content}
  </li>`;
}

function ruleItem(context: RenderContext, rule: RuleView, stop: string | null): TemplateResult {
  return item(
    context,
    { kind: "rule", id: rule.id },
    stop,
    html`<bdi class="words">${ruleText(rule, 400)}</bdi>
      <span class="quiet facts-line"
        >${outside(rule.agent, 30)}${figureOf(rule)}${roundOf(context.model, rule)}</span
      >`,
  );
}

function selectionItem(context: RenderContext, agent: string, stop: string | null): TemplateResult {
  const job = jobOf(context.model, agent);
  const word = job !== null && isUnderWay(job.state) ? stateNames[job.state.kind].word.toLowerCase() : null;
  return item(
    context,
    { kind: "selection", agent },
    stop,
    html`<span class="with-icon"
      >${icon("beaker")}<span
        >Measure
        ${outside(agent, 40)}${word === null ? nothing : html` <span class="quiet">· ${word}</span>`}</span
      ></span
    >`,
  );
}

function trialItem(context: RenderContext, agent: string, stop: string | null): TemplateResult {
  const isRunning = context.model.trials.some((trial) => trial.agent === agent && trial.stoppedAt === null);
  return item(
    context,
    { kind: "trial", agent },
    stop,
    html`<span class="with-icon"
      >${icon("beaker")}<span
        >Try ${outside(agent, 40)}${isRunning ? html` <span class="quiet">· running</span>` : nothing}</span
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
  return measuring === null ? "" : ` · measuring, round ${wholeNumber(measuring.looks.length + 1)}`;
}

function figureOf(rule: RuleView): string {
  const { saving, isProtected, status, strikes } = rule;
  const parts = [
    status === "measured" ? "passed" : "",
    saving === null ? "" : `${saving < 0 ? "costs" : "saves"} ${wholeNumber(Math.abs(saving))}`,
    setWord(rule),
    isProtected ? "protected" : "",
    strikes > 0 ? "does not earn its rent" : "",
  ].filter((part) => part !== "");
  return parts.map((part) => ` · ${part}`).join("");
}
