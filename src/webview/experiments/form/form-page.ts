import { html, nothing, type TemplateResult } from "lit";
import { inWords, t, plural } from "../../../engine/base/language.ts";
import { icon } from "../../components/icon.ts";
import { outside, outsidePath, said } from "../../components/outside.ts";
import { isSample } from "../../components/panel-links.ts";
import { backButton, banner, notice, skeleton, stateView } from "../../components/states.ts";
import { askTitle, changesWarning } from "../compare/describe-compare.ts";
import { driverName, notes, replayNotice, startLabel } from "../describe-jobs.ts";
import { askIn, type Model, type RenderContext } from "../experiments-model.ts";
import { powerBanner, powerSection } from "./chances.ts";
import {
  experimentKinds,
  isReadyIn,
  isSameAsk,
  offerOf,
  tasksOf,
  withTasks,
  type ExperimentForm,
  type ExperimentKind,
} from "./form.ts";
import type { FormPart } from "./what-changes.ts";
import { fields } from "./kind-fields.ts";
import { ownTasks } from "./own-tasks.ts";
import { installNotice, missingAgents, planFacts } from "./plan-facts.ts";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import type { BenchChoices } from "../../../engine/jobs/bench-answers.ts";
import "../../components/section.ts";

/** Lists unfinished golden tasks. They belong to no suite, and no run uses them. */
function draftList(drafts: BenchChoices["drafts"]): TemplateResult | typeof nothing {
  if (drafts.length === 0) return nothing;
  return html`<purser-section
    heading=${plural(drafts.length, t("1 Draft"), t("{0} Drafts", wholeNumber(drafts.length)))}
    note=${notes.drafts}
  >
    ${drafts.map(
      ({ title, agent, file, remaining }) =>
        html`<details>
          <summary>
            ${outside(title, 90)} <span class="quiet">· ${outside(agent, 40)} · ${t("what remains")}</span>
          </summary>
          <p class="quiet">${outsidePath(file, file, 90)}</p>
          <ol>
            ${remaining.map((each) => html`<li>${said(each, 200)}</li>`)}
          </ol>
        </details>`,
    )}
  </purser-section>`;
}

/** The form of a new experiment, whatever its kind. Nothing can be started before its price is on the button. */
export function formPage(context: RenderContext): TemplateResult {
  const { model } = context;
  const { choices: offers, kept } = model;
  const { form } = kept;
  const offer = offers === null || form === null ? undefined : offerOf(offers.choices, form);
  if (offers === null || form === null || offer === undefined) return nothingToMeasure(context);
  const part: FormPart = { context, offers, form, offer };
  return html`<form
      class="form"
      @submit=${(event: Event) => {
        event.preventDefault();
        start(part);
      }}
    >
      ${header(part)} ${banners(part)} ${kindChoice(part)}
      <div class="fields">${fields(part)}</div>
      ${form.kind === "benchmark" ? taskChoice(part) : nothing} ${untrusted(part)} ${plan(part)}
    </form>
    ${ownTasks(part)} ${form.kind === "benchmark" ? draftList(offers.choices.drafts) : nothing}`;
}

function back({ actions }: RenderContext): TemplateResult {
  return backButton(t("Experiments"), t("Back to Experiments (Escape)"), () => actions.back());
}

function nothingToMeasure(context: RenderContext): TemplateResult {
  const { model, actions } = context;
  const problem = model.choices?.choices.suites.find((suite) => suite.problem !== null)?.problem ?? null;
  const text = isSample
    ? t("Nothing runs in the sample. Close it to measure your own agents.")
    : problem === null
      ? t("No agent has golden tasks here.")
      : inWords(problem);
  return html`<header class="title">
      <div>
        ${back(context)}
        <h1 tabindex="-1">${t("New Experiment")}</h1>
      </div>
    </header>
    ${stateView({
      icon: problem === null ? "beaker" : "error",
      heading: problem === null ? t("There is no golden suite") : t("The golden suite cannot be used"),
      text,
      actions: isSample
        ? []
        : [
            ...(problem === null
              ? [{ label: t("Make Tasks from History…"), run: () => actions.ask({ type: "draftTasks" }) }]
              : []),
            { label: t("Try Again"), run: () => actions.retry() },
            { label: t("Show Log"), run: () => actions.showLog() },
          ],
    })}`;
}

const kinds: Readonly<Record<ExperimentKind, { readonly name: string; readonly question: string }>> = {
  benchmark: { name: t("Benchmark"), question: t("How many tokens does an agent need for its tasks?") },
  comparison: { name: t("Comparison"), question: t("Is a change cheaper, and as good?") },
  rules: { name: t("Rules"), question: t("Do an agent's rules save more than they cost?") },
  trial: {
    name: t("Trial on real work"),
    question: t("Do rules or guards save in your own sessions, without extra runs?"),
  },
  prompt: {
    name: t("Shorter prompt"),
    question: t("Is there a shorter version of a prompt that is as good?"),
  },
};

function header(part: FormPart): TemplateResult {
  const { context, form } = part;
  const ask = askIn(context.model);
  const subtitle = ask?.kind === "compare" ? askTitle(ask) : kinds[form.kind].question;
  return html`<header class="title">
    <div>
      ${back(context)}
      <h1 tabindex="-1">${t("New Experiment")}</h1>
      <p class="quiet">${outside(subtitle, 120)}</p>
    </div>
    <div class="buttons">${mainButton(part)}</div>
  </header>`;
}

function mainButton(part: FormPart): TemplateResult {
  const { form, context } = part;
  switch (form.kind) {
    case "benchmark":
    case "comparison": {
      const label = startLabel(pricedPlan(context.model), form.driver);
      return html`<button type="submit" class="button primary" ?disabled=${!isStartable(context.model, form)}>
        ${icon("play")}${label}
      </button>`;
    }
    case "rules":
    case "trial":
      return html`<button type="submit" class="button primary" ?disabled=${form.ruleAgent === null}>
        ${t("Show Price in Rules")}
      </button>`;
    case "prompt":
      return html`<button
        type="submit"
        class="button primary"
        ?disabled=${!isReadyIn(part.offers.choices.drivers, "claude")}
      >
        ${t("Show Price in Terminal")}
      </button>`;
  }
}

function start({ context, form }: FormPart): void {
  const { model, actions } = context;
  const ask = askIn(model);
  switch (form.kind) {
    case "benchmark":
    case "comparison":
      if (ask !== null && isStartable(model, form)) actions.start(ask);
      return;
    case "rules":
    case "trial":
      if (form.ruleAgent !== null) actions.ask({ type: "openRules", page: form.kind, agent: form.ruleAgent });
      return;
    case "prompt": {
      const [agent] = form.agents;
      if (agent !== undefined) actions.ask({ type: "shorten", agent });
    }
  }
}

/** The plan of what the form asks for now; null while that is being planned. */
function pricedPlan(model: Model): NonNullable<Model["plan"]>["plan"] {
  const ask = askIn(model);
  return ask !== null && isSameAsk(ask, model.plan?.ask ?? null) ? (model.plan?.plan ?? null) : null;
}

/** Whether it can start: its driver is ready, and its price is on the button. */
function isStartable(model: Model, { driver }: ExperimentForm): boolean {
  const { choices, isBusy } = model;
  const known = pricedPlan(model);
  const isReady = choices !== null && isReadyIn(choices.choices.drivers, driver);
  return isReady && !isBusy && known !== null && (known.unready ?? null) === null;
}

/** Warns of a missing agent, and of a plan with little power. */
function banners(part: FormPart): TemplateResult {
  const { context, offers, form } = part;
  const { model, actions } = context;
  const { drivers } = offers.choices;
  if (form.kind === "prompt") return html`${noRewrite(part)}`;
  const ask = askIn(model);
  if (ask === null) return html``;
  const current = isSameAsk(ask, model.plan?.ask ?? null) ? model.plan : null;
  const again = { label: t("Try Again"), run: () => actions.fill(form) };
  const unready = current?.plan?.unready ?? null;
  const power = current?.plan?.power;
  const recordedBy = drivers.find(({ name }) => name === form.driver)?.recordedBy ?? ["script"];
  const replay = replayNotice(form.driver, recordedBy);
  const warning = ask.kind === "compare" ? changesWarning(ask) : null;
  return html`${missingAgents(drivers, canReplay(form) ? () => actions.fill(replayed(form)) : null)}
  ${(current?.problem ?? null) === null ? nothing : banner(current?.problem ?? "", again)}
  ${
    unready === null || !isReadyIn(drivers, form.driver)
      ? nothing
      : banner(t("{0} cannot run here: {1}", driverName(form.driver), inWords(unready)), again)
  }
  ${power === undefined ? nothing : powerBanner(power)} ${replay === null ? nothing : notice(replay)}
  ${warning === null ? nothing : notice(warning)}`;
}

/** Recordings know nothing of a text of the user's. */
function canReplay({ kind, subject, driver }: ExperimentForm): boolean {
  return driver !== "replay" && (kind === "benchmark" || subject === "without-claude-md");
}

function replayed(form: ExperimentForm): ExperimentForm {
  return { ...form, driver: "replay", model: null, runs: 1 };
}

/** Claude Code both writes and runs the new prompt. */
function noRewrite({ offers }: FormPart): TemplateResult | typeof nothing {
  const claude = offers.choices.drivers.find(({ name }) => name === "claude");
  if (claude?.isReady === true) return nothing;
  const problem = claude?.problem ?? null;
  return banner(
    t(
      "A shorter prompt needs Claude Code, which is not ready. {0}",
      problem === null ? "" : inWords(problem),
    ),
    null,
  );
}

function kindChoice({ context, form }: FormPart): TemplateResult {
  return html`<fieldset>
    <legend class="hidden-text">${t("Kind")}</legend>
    <div class="experiment-kinds">
      ${experimentKinds.map(
        (kind) =>
          html`<label class="box"
            ><input
              type="radio"
              name="kind"
              .checked=${kind === form.kind}
              @change=${() => context.actions.fill({ ...form, kind })}
            /><span
              ><strong>${kinds[kind].name}</strong><span class="quiet">${kinds[kind].question}</span></span
            ></label
          >`,
      )}
    </div>
  </fieldset>`;
}

/** Shows a checkbox for each task. The last checked one stays checked. */
function taskChoice({ context, form, offer }: FormPart): TemplateResult {
  const tasks = tasksOf(form, offer);
  const { taskIds } = form;
  const chosen = tasks.map(({ id }) => id).filter((id) => taskIds === null || taskIds.includes(id));
  const isMany = form.agents.length > 1;
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
              context.actions.fill(withTasks(form, offer, ids));
            }}
          /><span
            >${isMany ? html`<span class="quiet">${outside(agent, 30)} · </span>` : nothing}${outside(title, 90)}</span
          ></label
        >`;
      })}
    </div>
  </fieldset>`;
}

function untrusted({ context, offers }: FormPart): TemplateResult | typeof nothing {
  return offers.isTrusted
    ? nothing
    : html`<p class="quiet">
        ${t("A suite of this workspace's own is used only when the workspace is trusted.")}
        <button type="button" class="link" @click=${() => context.actions.ask({ type: "manageTrust" })}>
          ${t("Manage Trust")}
        </button>
      </p>`;
}

/** What the plan rests on, below the form. */
function plan({ context, form, offer }: FormPart): TemplateResult | typeof nothing {
  const { model } = context;
  const ask = askIn(model);
  if (ask === null) return nothing;
  const known = model.plan?.ask.kind === ask.kind ? model.plan.plan : null;
  if (known === null) return model.plan?.problem === undefined ? skeleton() : nothing;
  const tasks = tasksOf(form, offer).length;
  return html`${installNotice(known)}
    <purser-section heading=${t("Plan")} note=${ask.kind === "compare" ? notes.comparisonPlan : notes.plan}>
      ${
        ask.kind === "compare"
          ? html`<p class="quiet">
              ${(ask.others ?? []).length === 0 ? t("All {0} golden tasks of the agent, on both sides. Stops as soon as the result is clear.", tasks) : t("All {0} golden tasks of the agent, on every side. Each change stops as soon as its result is clear.", tasks)}
            </p>`
          : nothing
      }
      ${planFacts(known)}
    </purser-section>
    ${known.power === undefined ? nothing : powerSection(known.power, context)}`;
}
