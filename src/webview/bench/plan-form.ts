import { html, nothing, type TemplateResult } from "lit";
import { t, plural } from "../../engine/base/language.ts";
import type { BenchAsk, SuiteOffer, JobView } from "../../engine/jobs/bench-answers.ts";
import { icon } from "../components/icon.ts";
import { outside, outsideText, said } from "../components/outside.ts";
import "../components/section.ts";
import { banner, notice, factList } from "../components/states.ts";
import { type RenderContext, isSameAsk, offerOf, type Model } from "./bench-model.ts";
import { tasksOf, withAgents, withTasks, isReadyIn } from "./bench-form.ts";
import { missingAgents, installNotice } from "./main-action.ts";
import { driverOption, notes, replayNotice, startLabel } from "./describe-bench.ts";
import { aboutDollars, estimatedNumber, wholeNumber } from "../../engine/base/local-format.ts";
import { provenanceNames } from "../components/figures.ts";

const maxRuns = 100;
const maxNameLength = 60;

/** The form to plan a benchmark. Nothing can be started before its price is on the button. */
export function planForm(
  context: RenderContext,
  { choices, isTrusted }: NonNullable<Model["choices"]>,
  ask: BenchAsk,
): TemplateResult {
  const { model, actions } = context;
  const offer = offerOf(choices, ask);
  if (offer === undefined) return html``;
  const { plan } = model;
  const known = plan?.plan ?? null;
  const driver = choices.drivers.find(({ name }) => name === ask.driver);
  const warning = replayNotice(ask.driver, driver?.recordedBy ?? ["script"]);
  const problem = plan !== null && isSameAsk(plan.ask, ask) ? plan.problem : null;
  return html`<purser-section heading=${t("New benchmark")} note=${notes.plan}>
    <form
      class="form"
      @submit=${(event: Event) => {
        event.preventDefault();
        if (isReady(model, ask)) actions.start(ask);
      }}
    >
      <div class="fields">
        ${choices.suites.length > 1 ? suiteSelect(context, choices.suites, ask) : nothing}
        ${agentSelect(context, offer, ask)} ${driverSelect(context, choices.drivers, ask)}
        ${ask.driver === "replay" ? nothing : modelInput(context, offer, ask)} ${runsInput(context, ask)}
      </div>
      ${taskChoice(context, offer, ask)} ${warning === null ? nothing : notice(warning)}
      ${problem === null ? nothing : banner(problem, { label: t("Try Again"), run: () => actions.choose(ask) })}
      ${missingAgents(
        choices.drivers,
        ask.driver === "replay"
          ? null
          : () => actions.choose({ ...ask, driver: "replay", model: null, runs: 1 }),
      )}
      ${
        isTrusted
          ? nothing
          : html`<p class="quiet">
              ${t("A suite of this workspace's own is used only when the workspace is trusted.")}
              <button type="button" class="link" @click=${() => actions.manageTrust()}>
                ${t("Manage Trust")}
              </button>
            </p>`
      }
      ${known === null ? nothing : html`${planFacts(known)} ${installNotice(known)}`}
      <div class="buttons">
        <button type="submit" class="button primary" ?disabled=${!isReady(model, ask)}>
          ${icon("play")}${startLabel(isReady(model, ask) ? known : null, ask.driver)}
        </button>
      </div>
    </form>
  </purser-section>`;
}

/** Whether it can start: its driver is ready, and its price is on the button. */
function isReady({ choices, plan, isBusy }: Model, ask: BenchAsk): boolean {
  const hasDriver = choices !== null && isReadyIn(choices.choices.drivers, ask.driver);
  return hasDriver && !isBusy && (plan?.plan ?? null) !== null && isSameAsk(plan?.ask ?? ask, ask);
}

function suiteSelect(
  { actions }: RenderContext,
  suites: readonly SuiteOffer[],
  ask: BenchAsk,
): TemplateResult {
  const names = suites.map(({ suite }) =>
    suite.origin === "built-in"
      ? t("Purser's own")
      : t("This workspace: {0}", outsideText(suite.folder, maxNameLength)),
  );
  const chosen = suites.findIndex(({ suite }) => suite.origin === ask.suite.origin);
  return select(t("Suite"), names, chosen, (index) => {
    const offer = suites[index];
    const first = offer?.agents[0]?.name;
    if (offer === undefined || first === undefined) return;
    actions.choose({ ...ask, suite: offer.suite, agents: [first], taskIds: null });
  });
}

function agentSelect({ actions }: RenderContext, { agents }: SuiteOffer, ask: BenchAsk): TemplateResult {
  const names = agents.map(({ name }) => name);
  const isAll = ask.agents.length > 1;
  const labels = [
    ...names.map((name) => outsideText(name, maxNameLength)),
    ...(names.length > 1 ? [t("All")] : []),
  ];
  const chosen = isAll ? names.length : names.indexOf(ask.agents[0] ?? "");
  return select(t("Agent"), labels, chosen, (index) => {
    const name = names[index];
    actions.choose(withAgents(ask, name === undefined ? names : [name]));
  });
}

function driverSelect(
  { actions }: RenderContext,
  drivers: NonNullable<Model["choices"]>["choices"]["drivers"],
  ask: BenchAsk,
): TemplateResult {
  const labels = drivers.map((driver) => outsideText(driverOption(driver), 80));
  const chosen = drivers.findIndex(({ name }) => name === ask.driver);
  const isOff = (index: number) => drivers[index]?.isReady !== true;
  const choose = (index: number) => {
    const driver = drivers[index]?.name;
    if (driver !== undefined)
      actions.choose({ ...ask, driver, model: driver === "replay" ? null : ask.model });
  };
  return select(t("Run with"), labels, chosen, choose, isOff);
}

function select(
  label: string,
  options: readonly string[],
  chosen: number,
  choose: (index: number) => void,
  isOff: (index: number) => boolean = () => false,
): TemplateResult {
  return html`<label
    ><span>${label}</span>
    <select
      @change=${({ currentTarget }: Event) => {
        if (currentTarget instanceof HTMLSelectElement) choose(currentTarget.selectedIndex);
      }}
    >
      ${options.map(
        (name, index) =>
          html`<option .selected=${index === chosen} ?disabled=${isOff(index)}>${name}</option>`,
      )}
    </select></label
  >`;
}

function modelInput({ actions }: RenderContext, { agents }: SuiteOffer, ask: BenchAsk): TemplateResult {
  const own = agents.find(({ name }) => name === ask.agents[0])?.model ?? null;
  return html`<label
    ><span>${t("Model")}</span>
    <input
      type="text"
      maxlength="200"
      spellcheck="false"
      placeholder=${own === null ? t("the agent's usual") : t("{0}, the agent's own", outsideText(own, 40))}
      .value=${ask.model ?? ""}
      @change=${({ currentTarget }: Event) => {
        if (!(currentTarget instanceof HTMLInputElement)) return;
        const entered = currentTarget.value.trim();
        actions.choose({ ...ask, model: entered === "" ? null : entered });
      }}
  /></label>`;
}

function runsInput({ actions }: RenderContext, ask: BenchAsk): TemplateResult {
  return html`<label
    ><span>${t("Runs of each task")}</span>
    <input
      type="number"
      min="1"
      max=${maxRuns}
      .value=${String(ask.runs)}
      @change=${({ currentTarget }: Event) => {
        if (!(currentTarget instanceof HTMLInputElement)) return;
        const entered = Math.round(Number(currentTarget.value));
        const runs = Number.isFinite(entered) ? Math.max(1, Math.min(maxRuns, entered)) : ask.runs;
        currentTarget.value = String(runs);
        actions.choose({ ...ask, runs });
      }}
  /></label>`;
}

/** Shows a checkbox for each task. The last checked one stays checked. */
function taskChoice({ actions }: RenderContext, offer: SuiteOffer, ask: BenchAsk): TemplateResult {
  const tasks = tasksOf(ask, offer);
  const chosen = tasks.map(({ id }) => id).filter((id) => ask.taskIds === null || ask.taskIds.includes(id));
  const isMany = ask.agents.length > 1;
  return html`<fieldset>
    <legend>${t("Tasks · {0} of {1}", chosen.length, tasks.length)}</legend>
    <div class="tasks">
      ${tasks.map(({ id, title, agent }) => {
        const isOn = chosen.includes(id);
        return html`<label class="box"
          ><input
            type="checkbox"
            .checked=${isOn}
            ?disabled=${isOn && chosen.length === 1}
            @change=${() => {
              const ids = isOn ? chosen.filter((one) => one !== id) : [...chosen, id];
              actions.choose(withTasks(ask, offer, ids));
            }}
          /><span
            >${isMany ? html`<span class="quiet">${outside(agent, 30)} · </span>` : nothing}${outside(title, 90)}</span
          ></label
        >`;
      })}
    </div>
  </fieldset>`;
}

type Plan = NonNullable<JobView["plan"]>;

/** Lists what a plan would run and spend, and the smallest saving it could detect. */
export function planFacts(plan: Plan): TemplateResult {
  const { driver, runs, made, tokens, usd, expected, smallestSaving, tokenCap, warnings } = plan;
  const rows: [string, unknown][] = [
    [
      t("Runs"),
      made > 0 ? t("{0}, of which {1} are made", wholeNumber(runs), wholeNumber(made)) : wholeNumber(runs),
    ],
  ];
  if (driver === "replay") rows.push([t("Price"), t("Free, no model calls")]);
  else
    rows.push(
      [
        t("New tokens"),
        html`~${estimatedNumber(tokens)}
          <span class="quiet">· ${provenanceNames[expected.source]}: ${said(expected.because, 80)}</span>`,
      ],
      [
        t("Price"),
        usd === null
          ? t("unknown: the model has no known price")
          : t("{0} at list prices", aboutDollars(usd)),
      ],
    );
  if (smallestSaving !== null)
    rows.push([
      t("Smallest saving it can see"),
      plural(smallestSaving, t("~1 token a run"), t("~{0} tokens a run", estimatedNumber(smallestSaving))),
    ]);
  if (tokenCap !== null) rows.push([t("Cap"), t("{0} new tokens", wholeNumber(tokenCap))]);
  return html`${factList(rows, "number")}
  ${
    warnings.length === 0
      ? nothing
      : html`<ul class="warnings">
          ${warnings.map((text) => html`<li><span class="sign">${icon("warning")}</span>${said(text, 300)}</li>`)}
        </ul>`
  }`;
}
