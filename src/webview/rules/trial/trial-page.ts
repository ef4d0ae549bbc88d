import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import { inWords, plural, t } from "../../../engine/base/language.ts";
import type {
  TrialPlan,
  TrialView,
  TriedRuleView,
  TriedSessionView,
} from "../../../engine/rules/trial-answers.ts";
import { icon } from "../../components/icon.ts";
import { outside, outsidePath, outsideText } from "../../components/outside.ts";
import { agentNames } from "../../components/page-agents.ts";
import "../../components/section.ts";
import { banner } from "../../components/states.ts";
import {
  numberCell,
  textCell,
  timeCell,
  column,
  numberColumn,
  extra,
} from "../../components/table/table-cells.ts";
import { dataTable } from "../../components/table/table.ts";
import { moment } from "../../components/times.ts";
import { filled } from "../../components/sentences.ts";
import type { RenderContext } from "../page-model.ts";
import { chooser, isPast } from "./chooser.ts";
import { otherAgents } from "../page-head.ts";
import { describeTrial, notes, pointsText, savingText, trialAgents, verdictText } from "./describe-trial.ts";

/** Shows an agent's rules on trial in real work: the sessions with what each had, and what each rule saves. */
export function trialPage(context: RenderContext, agent: string): TemplateResult {
  const { model } = context;
  const known = model.trial?.agent === agent ? model.trial : null;
  const trial = known?.trial ?? null;
  const isRunning = trial?.stoppedAt === null;
  const own = model.trials.filter((each) => each.agent === agent);
  return html`<article aria-labelledby="agent">
    <header class="top">
      <p class="quiet">${t("Trial on real work")}</p>
      <h1 id="agent" tabindex="-1">${outside(agent, 80)}</h1>
      <p>${known === null ? t("Looking up how it stands…") : describeTrial(trial)}</p>
      ${otherAgents(context, { kind: "trial", agent }, trialAgents(model))}
      ${trial === null || own.length < 2 ? nothing : chooser(context, own, trial.id)}
      ${trial === null ? nothing : placeOf(context, trial)}
    </header>
    ${trial === null ? nothing : trialSections(context, trial)}
    ${known === null || isRunning || isPast(own, trial) ? nothing : startSection(context, agent)}
  </article>`;
}

function placeOf({ model, actions, now }: RenderContext, trial: TrialView): TemplateResult {
  const { id, project, startedAt, stoppedAt, sessions, analysed, holdOut } = trial;
  return html`<p class="quiet">
      ${project === null ? t("Sessions in all folders") : outsidePath(project, project, 90)} ·
      ${t("since {0}", moment(startedAt, now))}${stoppedAt === null ? nothing : html`, ${t("stopped {0}", moment(stoppedAt, now))}`}
      · ${t("{0} sessions", wholeNumber(sessions))} ·
      ${t("the figures rest on {0} of them", wholeNumber(analysed))}${
        holdOut === null
          ? nothing
          : html` · ${t("{0}% stay without a rule that saves", wholeNumber(Math.round(100 * holdOut)))}`
      }
    </p>
    ${
      stoppedAt !== null
        ? nothing
        : html`<div class="buttons">
            <button
              class="button primary"
              ?disabled=${model.isBusy}
              @click=${() => actions.post({ type: "stopTrial", id })}
            >
              ${icon("stop")}${t("Stop Trial")}
            </button>
          </div>`
    }`;
}

function trialSections(context: RenderContext, trial: TrialView): TemplateResult {
  const { rules, drawn, undrawn, missing } = trial;
  return html`${missing.map((line) => banner(t("No new session takes part: {0}.", outsideText(inWords(line), 300)), null))}
    <purser-section heading=${t("Rules")} note=${notes.rules}>${ruleTable(context, rules)}</purser-section>
    <purser-section heading=${t("Saved")} note=${notes.saved}>${savedTable(rules)}</purser-section>
    ${promptSection(rules)}
    <purser-section heading=${t("Sessions")} note=${notes.sessions}>
      ${
        drawn.length === 0
          ? html`<p class="quiet">
              ${
                trial.stoppedAt === null
                  ? t("No session has begun yet. New sessions take part on their own: keep working as usual.")
                  : t("No session has begun yet.")
              }
            </p>`
          : sessionTable(context, drawn, rules)
      }
      ${moreSessions(trial, trial.sessions - drawn.length)}
    </purser-section>
    ${
      undrawn.length === 0
        ? nothing
        : html`<purser-section heading=${t("Without a Draw")} note=${notes.undrawn}>
            <ul class="turns">
              ${undrawn.map(
                ({ id, at, program, leftOut }) =>
                  html`<li>
                    ${outside(id, 40)} · ${agentNames.of(program)} · ${moment(at, context.now)} ·
                    ${outside(inWords(leftOut), 120)}
                  </li>`,
              )}
            </ul>
            ${moreSessions(trial, trial.undrawnCount - undrawn.length)}
          </purser-section>`
    }`;
}

function moreSessions({ id }: TrialView, more: number) {
  if (more <= 0) return nothing;
  return html`<p class="quiet">
    ${filled(
      t("{0} more: {1} lists them, in a terminal."),
      wholeNumber(more),
      html`<code>purser trial status ${outside(id, 40)} --json</code>`,
    )}
  </p>`;
}

function savingCell(saving: TriedRuleView["saving"], without: string) {
  return {
    content: () => html`<span class="number">${savingText(saving, without)}</span>`,
    sort: saving?.value ?? null,
  };
}

function shareCell(share: number | null) {
  return {
    content: () =>
      html`<span class="number">${share === null ? t("none") : wholeNumber(Math.round(100 * share))}</span>`,
    sort: share,
  };
}

/** Asks the owner about a rule that probably costs. */
function evict({ model, actions }: RenderContext, id: string) {
  const rule = model.view?.rules.find((each) => each.id === id);
  if (rule === undefined) return nothing;
  return html`<button
    class="button"
    title=${t("It probably costs tokens")}
    ?disabled=${model.isBusy}
    @click=${() => actions.act(rule, { kind: "reject", why: t("it probably costs tokens, by its trial") })}
  >
    ${t("Remove")}
  </button>`;
}

/** Explains why a rule that saves may not be let in. An undecided rule's verdict already explains it. */
function letIn({ model, actions }: RenderContext, { id, basis, missing, verdict }: TriedRuleView) {
  if (basis === null)
    return verdict === "saves"
      ? html`<span class="quiet">${missing === null ? "" : inWords(missing)}</span>`
      : nothing;
  const why =
    basis === "both"
      ? t("Shown to save by real work and the benchmark together")
      : t("Shown to save by real work");
  return html`<button
    class="button"
    title=${why}
    ?disabled=${model.isBusy}
    @click=${() => actions.post({ type: "letInByTrial", id })}
  >
    ${t("Let In")}
  </button>`;
}

function ruleTable(context: RenderContext, rules: readonly TriedRuleView[]): TemplateResult {
  const { actions } = context;
  const rows = rules.map((rule, index) => ({
    key: rule.id,
    cells: [
      {
        content: () =>
          html`<button class="link" @click=${() => actions.look({ kind: "rule", id: rule.id })}>
            ${index + 1}. ${outside(rule.text ?? rule.id, 160)}
          </button>`,
        sort: index,
      },
      textCell(verdictText(rule)),
      shareCell(rule.chance),
      shareCell(rule.expected),
      {
        content: () =>
          html`<span class="number">${wholeNumber(rule.withIt)} / ${wholeNumber(rule.withoutIt)}</span>`,
        sort: rule.withIt + rule.withoutIt,
      },
      {
        content: () => (rule.isHarmful && rule.isDrawn ? evict(context, rule.id) : letIn(context, rule)),
        sort: rule.basis,
      },
    ],
  }));
  const headings = [
    column(t("Rule")),
    column(t("Verdict")),
    numberColumn(t("Next chance, %")),
    numberColumn(t("Expected, %")),
    extra(numberColumn(t("Sessions with / without"))),
    column(t("Decision")),
  ];
  return dataTable({ label: t("Rules on trial"), headings, rows, most: 15 });
}

/** What real work and the benchmark show of each rule. */
function savedTable(rules: readonly TriedRuleView[]): TemplateResult {
  const rows = rules.map((rule, index) => ({
    key: rule.id,
    cells: [
      { content: () => html`${index + 1}. ${outside(rule.text ?? rule.id, 160)}`, sort: index },
      savingCell(rule.perSession, t("unknown")),
      savingCell(rule.saving, t("unknown")),
      savingCell(rule.benchmark?.saving ?? null, rule.benchmark === null ? t("not measured") : t("unknown")),
      savingCell(rule.together, t("none")),
    ],
  }));
  const headings = [
    column(t("Rule")),
    numberColumn(t("Per session, %")),
    numberColumn(t("Per prompt, %")),
    extra(numberColumn(t("Benchmark, %"))),
    extra(numberColumn(t("Together, %"))),
  ];
  return dataTable({ label: t("Savings of each rule"), headings, rows, most: 15 });
}

/** How prompts went with each rule, once anything is known. */
function promptSection(rules: readonly TriedRuleView[]) {
  if (rules.every((rule) => rule.completed === null && rule.uncorrected === null && rule.prompts === null))
    return nothing;
  const rows = rules.map(({ id, text, completed, uncorrected, prompts }, index) => ({
    key: id,
    cells: [
      { content: () => html`${index + 1}. ${outside(text ?? id, 160)}`, sort: index },
      pointsCell(completed),
      pointsCell(uncorrected),
      pointsCell(prompts && { ...prompts, value: -prompts.value, low: -prompts.high, high: -prompts.low }),
    ],
  }));
  const headings = [
    column(t("Rule")),
    numberColumn(t("Completed")),
    numberColumn(t("Not corrected")),
    numberColumn(t("More prompts, %")),
  ];
  return html`<purser-section heading=${t("Prompts")} note=${notes.prompts}>
    ${dataTable({ label: t("Prompts with and without each rule"), headings, rows, most: 15 })}
  </purser-section>`;
}

function pointsCell(difference: TriedRuleView["completed"]) {
  return {
    content: () => html`<span class="number">${pointsText(difference)}</span>`,
    sort: difference?.value ?? null,
  };
}

function sessionTable(
  { now }: RenderContext,
  sessions: readonly TriedSessionView[],
  rules: readonly TriedRuleView[],
): TemplateResult {
  const numberOf = new Map(rules.map(({ id }, index) => [id, index + 1]));
  const had = (given: readonly string[]) =>
    given.length === 0 ? t("none") : given.map((id) => t("rule {0}", numberOf.get(id) ?? "?")).join(", ");
  const rows = sessions.map((each) => {
    const prompts = each.completed + each.interrupted + each.failed;
    return {
      key: each.id,
      cells: [
        {
          content: () => html`<span title=${each.id}>${outside(each.id.slice(0, 8), 8)}</span>`,
          sort: each.id,
        },
        timeCell(each.at, now),
        textCell(had(each.given)),
        numberCell(prompts),
        numberCell(each.completed),
        numberCell(each.corrections),
        numberCell(each.tokens === null ? null : Math.round(each.tokens)),
        textCell(each.leftOut === null ? null : inWords(each.leftOut), t("no")),
      ],
    };
  });
  const headings = [
    column(t("Session")),
    column(t("Began")),
    column(t("Had")),
    extra(numberColumn(t("Prompts"))),
    extra(numberColumn(t("Completed"))),
    extra(numberColumn(t("Corrections"))),
    numberColumn(t("Tokens a prompt"), t("Geometric mean of new tokens")),
    column(t("Left out")),
  ];
  return dataTable({ label: t("Sessions of the trial"), headings, rows, most: 12 });
}

function startLabel(rules: number | null): string {
  return rules === null
    ? t("Start Trial")
    : plural(rules, t("Start Trial of 1 Rule"), t("Start Trial of {0} Rules", rules));
}

/** What the user agrees to. */
function consent({ holdOut }: TrialPlan): TemplateResult {
  const kept = wholeNumber(Math.round(100 * (holdOut ?? 0)));
  return html`<ul>
      <li>${t("{0}% of sessions go on without a rule that saves: so one that turns is noticed.", kept)}</li>
      <li>
        ${t("Recorded before a session's first prompt: the chances and what was drawn. Later: its tokens, and how many prompts were completed, interrupted, failed, or corrected the agent. Never what they say.")}
      </li>
      <li>${t("Stop Trial ends it at once: from then on no session is given anything.")}</li>
    </ul>
    <label class="check">
      <input type="checkbox" name="switchesOff" />
      <span>${t("Remove a rule without asking once it probably costs tokens")}</span>
    </label>`;
}

/** Nothing begins before what will be given to whom is shown. */
function startSection({ model, actions }: RenderContext, agent: string): TemplateResult {
  const planned = model.trialPlan?.agent === agent ? model.trialPlan : null;
  if (planned === null) return html`<p class="quiet">${t("Looking up what can be tried…")}</p>`;
  const { plan, problem, folder, isEverywhere } = planned;
  const choose = (everywhere: boolean) =>
    actions.post({ type: "planTrial", agent, isEverywhere: everywhere });
  return html`<purser-section heading=${t("Try on Your Own Work")} note=${notes.start}>
    <form
      class="form"
      @submit=${(event: Event) => {
        event.preventDefault();
        if (plan === null || model.isBusy || !(event.currentTarget instanceof HTMLFormElement)) return;
        const switchesOff = new FormData(event.currentTarget).has("switchesOff");
        actions.post({
          type: "startTrial",
          agent,
          isEverywhere,
          ruleIds: plan.rules.map(({ id }) => id),
          switchesOff,
        });
      }}
    >
      <div class="fields">
        <label
          ><span>${t("Sessions")}</span>
          <select
            @change=${({ currentTarget }: Event) => {
              if (currentTarget instanceof HTMLSelectElement) choose(currentTarget.value === "everywhere");
            }}
          >
            ${
              folder === null
                ? nothing
                : html`<option value="here" ?selected=${!isEverywhere}>
                    ${t("in {0}", outsideText(folder, 60))}
                  </option>`
            }
            <option value="everywhere" ?selected=${isEverywhere}>${t("in all folders")}</option>
          </select></label
        >
      </div>
      ${
        problem === null
          ? nothing
          : banner(outsideText(problem, 400), {
              label: t("Try Again"),
              run: () => choose(isEverywhere),
            })
      }
      ${
        plan === null
          ? nothing
          : html`<p>
                ${t("Each new session of {0} is given each of these by the chance that it saves, at first one half:", plan.programs.map((program) => agentNames.of(program)).join(", "))}
              </p>
              <ol>
                ${plan.rules.map(({ text }) => html`<li>${outside(text, 240)}</li>`)}
              </ol>
              ${consent(plan)}`
      }
      <div class="buttons">
        <button type="submit" class="button primary" ?disabled=${plan === null || model.isBusy}>
          ${icon("play")}${startLabel(plan?.rules.length ?? null)}
        </button>
      </div>
    </form>
  </purser-section>`;
}
