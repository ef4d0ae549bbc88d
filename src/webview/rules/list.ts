import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/format.ts";
import { isUnderWay } from "../../engine/service/bench-states.ts";
import type { MemoryView, RuleView } from "../../engine/service/rules-view.ts";
import { icon } from "../components/icon.ts";
import { outside } from "../components/outside.ts";
import type { Scene } from "./actions.ts";
import { stateNames } from "../bench/words.ts";
import { groupsOf } from "./model.ts";
import { jobOf, measuringOf } from "./selection.ts";
import { ruleWords } from "./words.ts";

/** Rules in groups, with how many there are, and the memories they are compiled into. */
export function ruleList(scene: Scene): TemplateResult | typeof nothing {
  const { view } = scene.model;
  if (view === null) return nothing;
  return html`<nav aria-label="Rules">
    ${groupsOf(view).map(
      ({ name, rules }) =>
        html`<section>
          <h2>${name} <span class="count number">${wholeNumber(rules.length)}</span></h2>
          ${
            rules.length === 0
              ? html`<p class="quiet">None</p>`
              : html`<ul>
                  ${rules.map((rule) => ruleItem(scene, rule))}
                </ul>`
          }
        </section>`,
    )}
    ${selections(scene, view.rules)}
    ${
      view.memories.length === 0
        ? nothing
        : html`<section>
            <h2>Memories</h2>
            <ul>
              ${view.memories.map((memory) => memoryItem(scene, memory))}
            </ul>
          </section>`
    }
  </nav>`;
}

function ruleItem({ model, actions }: Scene, rule: RuleView): TemplateResult {
  const { place } = model.kept;
  const isShown = place?.kind === "rule" && place.id === rule.id;
  const look = () => actions.look({ kind: "rule", id: rule.id });
  return html`<li>
    <button class="item" data-rule=${rule.id} aria-current=${isShown ? "true" : nothing} @click=${look}>
      <bdi class="words">${ruleWords(rule, 120)}</bdi>
      <span class="quiet facts-line">${outside(rule.agent, 30)}${figureOf(rule)}${roundOf(model, rule)}</span>
    </button>
  </li>`;
}

/** Agents whose rules can be measured, or were. */
function selections(scene: Scene, rules: readonly RuleView[]): TemplateResult | typeof nothing {
  const can = rules.filter(({ status }) => status === "approved" || status === "active");
  const measured = scene.model.jobs.flatMap(({ ask }) => (ask.kind === "select" ? [ask.agent] : []));
  const agents = [...new Set([...can.map(({ agent }) => agent), ...measured])].sort();
  if (agents.length === 0) return nothing;
  return html`<section>
    <h2>Selection</h2>
    <ul>
      ${agents.map((agent) => selectionItem(scene, agent))}
    </ul>
  </section>`;
}

function selectionItem({ model, actions }: Scene, agent: string): TemplateResult {
  const { place } = model.kept;
  const job = jobOf(model, agent);
  const isShown = place?.kind === "selection" && place.agent === agent;
  const word = job !== null && isUnderWay(job.state) ? stateNames[job.state.kind].word.toLowerCase() : null;
  return html`<li>
    <button
      class="item"
      aria-current=${isShown ? "true" : nothing}
      @click=${() => actions.look({ kind: "selection", agent })}
    >
      <span class="with-icon"
        >${icon("beaker")}<span
          >Measure
          ${outside(agent, 40)}${word === null ? nothing : html` <span class="quiet">· ${word}</span>`}</span
        ></span
      >
    </button>
  </li>`;
}

function roundOf(model: Scene["model"], rule: RuleView): string {
  const measuring = measuringOf(model, rule);
  return measuring === null ? "" : ` · measuring, round ${wholeNumber(measuring.looks.length + 1)}`;
}

function memoryItem({ model, actions }: Scene, memory: MemoryView): TemplateResult {
  const { place } = model.kept;
  const isShown = place?.kind === "memory" && place.agent === memory.agent;
  const isAsking = memory.state === "edited" || memory.state === "foreign" || memory.state === "failed";
  return html`<li>
    <button
      class="item"
      aria-current=${isShown ? "true" : nothing}
      @click=${() => actions.look({ kind: "memory", agent: memory.agent })}
    >
      <span class="with-icon">${icon(isAsking ? "warning" : "file")}${outside(memory.agent, 40)}</span>
    </button>
  </li>`;
}

function figureOf({ saving, isProtected, status, strikes }: RuleView): string {
  const parts = [
    status === "measured" ? "passed" : "",
    saving === null ? "" : `${saving < 0 ? "costs" : "saves"} ${wholeNumber(Math.abs(saving))}`,
    isProtected ? "protected" : "",
    strikes > 0 ? "one strike" : "",
  ].filter((part) => part !== "");
  return parts.map((part) => ` · ${part}`).join("");
}
