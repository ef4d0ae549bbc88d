import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import { isUnderWay } from "../../engine/jobs/compare-answers.ts";
import { icon } from "../components/icon.ts";
import { learnedProjects } from "./describe-learned.ts";
import { describeWorth, worthByAgent } from "./list/worth.ts";
import type { Actions, Model, RenderContext } from "./page-model.ts";
import { selectionAgents } from "./selection/selection.ts";
import { outsideText } from "../components/outside.ts";

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

/** The panel's head: what rules are worth, and what is not about a single rule. */
export function pageHead(context: RenderContext): TemplateResult {
  const { model, actions, isLegendOpen } = context;
  const agent = agentToMeasure(model);
  const trial = model.trials.find(({ stoppedAt }) => stoppedAt === null);
  return html`<header class="title">
    <div>
      <h1>${t("Rules")}</h1>
      ${worthLine(context)}
    </div>
    <div class="buttons">
      ${
        agent === null
          ? nothing
          : html`<button class="button" @click=${() => actions.look({ kind: "selection", agent })}>
              ${icon("beaker")}${isMeasuring(model) ? t("Watch Measuring") : t("Measure Rules…")}
            </button>`
      }
      ${
        trial === undefined
          ? nothing
          : html`<button class="button" @click=${() => actions.look({ kind: "trial", agent: trial.agent })}>
              ${icon("sync")}${t("Trial Is Running")}
            </button>`
      }
      ${learnedLinks(model, actions).map(
        ({ label, run }) =>
          html`<button class="tool" @click=${run}>${icon("search")}<span>${label}</span></button>`,
      )}
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
    </div>
  </header>`;
}

/** Opens what was learned of past sessions. Empty if nothing was. */
export function learnedLinks(
  model: Pick<Model, "learned">,
  actions: Pick<Actions, "look">,
): { readonly label: string; readonly run: () => void }[] {
  const [project] = learnedProjects(model);
  if (project === undefined) return [];
  const label = t("Learned ({0})", wholeNumber(model.learned.length));
  return [{ label, run: () => actions.look({ kind: "learned", project }) }];
}

/** The agent of a running measurement, else that of the shown rule, else the first with a rule to measure. */
function agentToMeasure(model: Model): string | null {
  const { view, kept, jobs } = model;
  const agents = selectionAgents(model);
  const running = jobs.find(({ ask, state }) => ask.kind === "select" && isUnderWay(state));
  if (running?.ask.kind === "select") return running.ask.agent;
  const { place } = kept;
  const shown = place?.kind === "rule" ? view?.rules.find(({ id }) => id === place.id)?.agent : undefined;
  const waiting = view?.rules.find(({ status }) => status === "approved")?.agent;
  return agents.find((agent) => agent === shown) ?? waiting ?? agents[0] ?? null;
}

function isMeasuring({ jobs }: Model): boolean {
  return jobs.some(({ ask, state }) => ask.kind === "select" && isUnderWay(state));
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
