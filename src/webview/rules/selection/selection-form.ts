import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import { plural, t } from "../../../engine/base/language.ts";
import { powerSection } from "../../experiments/form/chances.ts";
import { installNotice, missingAgents, planFacts } from "../../experiments/form/plan-facts.ts";
import { numberField, selectField } from "../../experiments/form/fields.ts";
import { isReadyIn } from "../../experiments/form/form.ts";
import { driverOption, replayNotice } from "../../experiments/describe-jobs.ts";
import type { RuleView } from "../../../engine/rules/rules-answers.ts";
import { icon } from "../../components/icon.ts";
import { outside, outsideText } from "../../components/outside.ts";
import "../../components/section.ts";
import { banner, notice } from "../../components/states.ts";
import { filled } from "../../components/sentences.ts";
import type { RenderContext, SelectionForm } from "../page-model.ts";
import { trialAgents } from "../trial/describe-trial.ts";
import { planOfGrade, worthFacts } from "./worth-plan.ts";
import { askOf, auditsOf, measurable, planOf } from "./selection.ts";
import { confirmLabel, measureLabel, measureWorthLabel, notes } from "../describe-rules.ts";
import { ruleText } from "../names.ts";

/** The form to plan measuring an agent's rules. Nothing can be started before its price is on the button. */
export function selectionForm(context: RenderContext, agent: string): TemplateResult {
  const { model, actions } = context;
  const { form, offer } = model;
  const { approved, active, passed } = measurable(model, agent);
  const isConfirming = model.confirming === agent;
  if (!isConfirming && approved.length + active.length === 0)
    return html`<p class="quiet">
      ${t("There is no rule to measure: approve a candidate first. Nothing reaches an agent before it is measured.")}
    </p>`;
  if (form?.agent !== agent || offer?.agent !== agent)
    return html`<p class="quiet">${t("Looking up what it would cost…")}</p>`;
  if (offer.suite === null)
    return html`<p>
      ${filled(
        t(
          "No golden task is for {0}. Rules are measured on golden tasks: make one of a session with “New Golden Task from Session…” in its menu.",
        ),
        outside(agent, 60),
      )}
    </p>`;
  const driver = offer.drivers.find(({ name }) => name === form.driver);
  const replayText = replayNotice(form.driver, driver?.recordedBy ?? ["script"]);
  const ask = askOf(model);
  const planned = planOf(model);
  const known = planned?.plan ?? null;
  const problem = planned?.problem ?? null;
  const wanted = approved.length + auditsOf(form, active.length);
  const hasGrades = !isConfirming && form.driver !== "replay" && approved.length > 0;
  const worth = known === null || !hasGrades ? null : planOfGrade(known, form.grade);
  const canTry = approved.length > 0 && trialAgents(model).includes(agent);
  const tryIt = canTry ? () => actions.look({ kind: "trial", agent }) : null;
  const isReady = isReadyIn(offer.drivers, form.driver);
  return html`<purser-section
    heading=${isConfirming ? t("Confirm Together") : t("What It Would Cost")}
    note=${isConfirming ? notes.confirming : notes.selection}
  >
    ${isConfirming ? confirmed(passed, active.length) : nothing}
    <form
      class="form"
      @submit=${(event: Event) => {
        event.preventDefault();
        if (ask !== null && known !== null && isReady && !model.isBusy) actions.post({ type: "start", ask });
      }}
    >
      <div class="fields">
        ${driverField(offer.drivers, form, (next) => actions.choose(next))}
        ${form.driver === "replay" ? nothing : capField(form, (next) => actions.choose(next))}
        ${hasGrades ? gradeField(form, (next) => actions.choose(next)) : nothing}
      </div>
      ${active.length > 0 && !isConfirming ? auditField(form, active.length, (next) => actions.choose(next)) : nothing}
      ${replayText === null ? nothing : notice(isConfirming ? t("A replay confirms no rules: choose an agent.") : `${replayText} ${t("It decides about no rule.")}`)}
      ${missingAgents(
        offer.drivers,
        form.driver === "replay" ? null : () => actions.choose({ ...form, driver: "replay" }),
      )}
      ${problem === null || ask === null ? nothing : banner(problem, { label: t("Try Again"), run: () => actions.choose(form) })}
      ${
        known === null
          ? nothing
          : worth !== null
            ? html`${worthFacts(known, worth, { grade: form.grade, tryIt })} ${installNotice(known)}
              ${form.grade === "proved" && known.power !== undefined ? powerSection({ ...known.power, advice: [] }, context) : nothing}`
            : html`<p class="quiet">
                  ${
                    isConfirming
                      ? t("Upper limit; it stops as soon as the result is clear:")
                      : t(
                          "Upper limit; measuring a rule stops as soon as the result is clear, or will not become so:",
                        )
                  }
                </p>
                ${planFacts(known)} ${installNotice(known)}
                ${known.power === undefined ? nothing : powerSection(known.power, context)}`
      }
      <div class="buttons">
        <button
          type="submit"
          class="button ${worth?.pays === false ? "" : "primary"}"
          ?disabled=${ask === null || known === null || !isReady || model.isBusy}
        >
          ${icon("play")}${isConfirming ? confirmLabel(passed.length, known) : worth !== null ? measureWorthLabel(wanted, worth) : measureLabel(wanted, known)}
        </button>
        ${
          isConfirming
            ? html`<button
                type="button"
                class="button"
                @click=${() => actions.look({ kind: "selection", agent })}
              >
                ${t("Measure Rules Instead")}
              </button>`
            : nothing
        }
      </div>
    </form>
  </purser-section>`;
}

/** Renders the rules that are confirmed together. @param active number of rules that are in the agent's memory already */
function confirmed(passed: readonly RuleView[], active: number): TemplateResult {
  if (passed.length < 2)
    return html`<p>
      ${t("Fewer than two ready rules wait for you: there is nothing to confirm together.")}
    </p>`;
  const measured =
    active === 0
      ? t("Measured as a whole, against no rules at all:")
      : plural(
          active,
          t("Measured as a whole with 1 active rule, against no rules at all:"),
          t("Measured as a whole with {0} active rules, against no rules at all:", wholeNumber(active)),
        );
  return html`<p>${measured}</p>
    <ol>
      ${passed.map((rule) => html`<li><bdi>${ruleText(rule, 240)}</bdi></li>`)}
    </ol>`;
}

type Choose = (form: SelectionForm) => void;

function driverField(
  drivers: NonNullable<RenderContext["model"]["offer"]>["drivers"],
  form: SelectionForm,
  choose: Choose,
): TemplateResult {
  const labels = drivers.map((driver) => outsideText(driverOption(driver), 80));
  const chosen = drivers.findIndex(({ name }) => name === form.driver);
  const chooseDriver = (index: number) => {
    const driver = drivers[index]?.name;
    if (driver !== undefined) choose({ ...form, driver });
  };
  return selectField(t("Measure with"), labels, chosen, chooseDriver, (index) => !drivers[index]?.isReady);
}

function capField(form: SelectionForm, choose: Choose): TemplateResult {
  return numberField({
    label: t("New tokens at most"),
    value: form.tokenCap,
    placeholder: t("no cap"),
    least: 1,
    enter: (tokenCap) => choose({ ...form, tokenCap }),
  });
}

const gradeOptions = ["worth", "proved"] as const;

function gradeField(form: SelectionForm, choose: Choose): TemplateResult {
  const labels = [t("it pays no more"), t("each is proved")];
  return selectField(t("Measure until"), labels, gradeOptions.indexOf(form.grade), (index) =>
    choose({ ...form, grade: gradeOptions[index] ?? "worth" }),
  );
}

function auditField(form: SelectionForm, active: number, choose: Choose): TemplateResult {
  return html`<label class="check"
    ><input
      type="checkbox"
      .checked=${form.hasAudits}
      @change=${({ currentTarget }: Event) => {
        if (currentTarget instanceof HTMLInputElement) choose({ ...form, hasAudits: currentTarget.checked });
      }}
    /><span
      >${t("Then measure one active rule again: the one that was measured longest ago, of {0}", wholeNumber(active))}
      <span class="quiet">(${t("{0} bad results in a row evict it", wholeNumber(2))})</span></span
    ></label
  >`;
}
