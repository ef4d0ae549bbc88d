import { html, nothing, type TemplateResult } from "lit";
import { inWords, t } from "../../engine/base/language.ts";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { describeGuardResult } from "../../engine/rules/guard-trial-answers.ts";
import { familyIn, harmOf, type TriedRuleView } from "../../engine/rules/trial-answers.ts";
import { icon } from "../components/icon.ts";
import { outsideText } from "../components/outside.ts";
import "../components/section.ts";
import { banner } from "../components/states.ts";
import { moment } from "../components/times.ts";
import { isFamily } from "./describe-guard.ts";
import { describeTried, triedNames } from "./describe-trial.ts";
import type { RenderContext } from "./guard-model.ts";
import type { GuardTrial, ViewMessage } from "./guard-protocol.ts";

const note = t(
  "Each new session draws which families on trial act and which only observe, before its first prompt; the ledger keeps the draw. Tokens of completed prompts are compared, less what was known before the draw: project, branch, hour, and the length of the first prompt. The interval of 90% holds however often it is looked at.",
);

/** What guards save, measured by a random draw: the only figure that no estimate enters. */
export function trialSection(context: RenderContext, { view }: ViewMessage): TemplateResult | typeof nothing {
  const { model, actions } = context;
  if (model.trials === null) return nothing;
  const isRunning = model.trials.some(({ stoppedAt }) => stoppedAt === null);
  return html`<purser-section heading=${t("Measured by random draw")} note=${note}>
    ${
      isRunning || model.isTrying
        ? nothing
        : html`<div slot="actions">
            <button class="button" ?disabled=${model.isBusy} @click=${() => actions.askTrial(true)}>
              ${t("Start Trial…")}
            </button>
          </div>`
    }
    ${model.isTrying ? trialForm(context, view) : nothing}
    ${model.trials.map((trial) => trialResult(context, trial))}
    ${
      model.trials.length > 0 || model.isTrying
        ? nothing
        : html`<p class="quiet nothing">
            ${t("What guards save in your work is not known yet. A trial measures it: half of your new sessions work with them, half without.")}
          </p>`
    }
  </purser-section>`;
}

function trialResult(context: RenderContext, trial: GuardTrial): TemplateResult {
  const { id, startedAt, stoppedAt, sessions, planned, rules, missing } = trial;
  const { actions, model, now } = context;
  return html`${missing.map((line) => banner(t("No new session takes part: {0}.", outsideText(inWords(line), 300)), null))}
    <ul class="entries trial">
      ${rules.map((rule) => familyResult(context, rule))}
    </ul>
    <p class="state-line quiet">
      <span class="number">
        ${
          stoppedAt === null
            ? t(
                "Running since {0} · {1} of {2} sessions",
                moment(startedAt, now),
                wholeNumber(sessions),
                wholeNumber(planned),
              )
            : t("Stopped {0} after {1} sessions", moment(stoppedAt, now), wholeNumber(sessions))
        }
      </span>
      ${
        stoppedAt === null
          ? html`<button
              class="button"
              ?disabled=${model.isBusy}
              @click=${() => actions.press({ type: "stopTrial", id })}
            >
              ${icon("stop")}${t("Stop Trial")}
            </button>`
          : nothing
      }
    </p>`;
}

function familyResult({ actions, model }: RenderContext, rule: TriedRuleView): TemplateResult {
  const { kind, text, more } = describeGuardResult(rule);
  const family = familyIn(rule.id) ?? "";
  const counts = t(
    "acted in {0} sessions, only observed in {1}",
    wholeNumber(rule.withIt),
    wholeNumber(rule.withoutIt),
  );
  const isHarm = harmOf(rule) !== null;
  return html`<li>
    ${icon(kind === "unknown" ? "beaker" : isHarm ? "warning" : "check")}
    <div>
      <p>
        <strong>${describeTried(rule.id)}</strong>:
        <span class="number">${text}</span>${more === null ? "" : `, ${more}`}
      </p>
      <p class="quiet number">${counts}</p>
    </div>
    ${
      isHarm && isFamily(family)
        ? html`<button
            class="button"
            ?disabled=${model.isBusy}
            @click=${() => actions.setMode(family, "observe")}
          >
            ${t("Only Observe From Now On")}
          </button>`
        : nothing
    }
  </li>`;
}

/** Asks for consent: what is drawn, what it costs, and which families take part. */
function trialForm({ model, actions }: RenderContext, { modes }: ViewMessage["view"]): TemplateResult {
  const isActing = (family: string) => {
    if (!isFamily(family)) return true;
    return (modes.families[family] ?? modes.all) === "on";
  };
  const names = Object.keys(triedNames);
  const first = names.find(isActing);
  return html`<form
    class="form"
    aria-label=${t("Start Trial")}
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      if (!(event.currentTarget instanceof HTMLFormElement)) return;
      const chosen = new FormData(event.currentTarget).getAll("family");
      actions.startTrial(names.filter((family) => chosen.includes(family)));
    }}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      actions.askTrial(false);
    }}
  >
    <p>
      ${t("In each new session, of every agent and in every folder, each family that you choose acts or only observes: at random, about half and half. What your prompts take with and without it is compared.")}
    </p>
    <p>
      ${t("Nothing is sent anywhere, and nothing is spent. Families that protect, and budgets, always act. You can stop at any time: then all sessions act again.")}
    </p>
    ${names.map(
      (family) =>
        html`<label class="family"
          ><input
            type="checkbox"
            name="family"
            value=${family}
            ?checked=${family === first}
            ?disabled=${!isActing(family)}
          />
          <span
            >${describeTried(family)}
            ${isActing(family) ? nothing : html`<span class="quiet about">${t("It only observes now: turn it on first.")}</span>`}</span
          ></label
        >`,
    )}
    <div class="choices">
      <button class="button primary" ?disabled=${model.isBusy || first === undefined}>
        ${t("Start Trial")}
      </button>
      <button class="button" type="button" @click=${() => actions.askTrial(false)}>${t("Cancel")}</button>
    </div>
  </form>`;
}
