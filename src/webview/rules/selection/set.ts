import { html, type TemplateResult } from "lit";
import { plural, t } from "../../../engine/base/language.ts";
import type { SetProgress } from "../../../engine/jobs/compare-answers.ts";
import type { PlotRow } from "../../components/charts/difference-plot.ts";
import { icon } from "../../components/icon.ts";
import { outside } from "../../components/outside.ts";
import type { RenderContext } from "../page-model.ts";
import { describeInterim } from "./interim.ts";
import { decided } from "../whole-set.ts";
import { verdictReason } from "../../components/text/verdict-sentence.ts";

const heading = t("All as a whole, against no rules at all.");

/** The set's row below those of its rules. */
export function setRow({ looks, result, state }: SetProgress): PlotRow {
  const saved = result === null ? (looks.at(-1)?.saving ?? null) : result.saving;
  const why = state === "unpaid" ? t("not measured") : t("the first round goes on");
  return { name: heading, saved, why, flag: state === "settled" ? t("settled") : null, isWhole: true };
}

/** The set among the rules of a selection: measured once two or more of them are found. */
export function setItem({ actions }: RenderContext, set: SetProgress, agent: string): TemplateResult {
  const { found, state, looks, result, decision } = set;
  const last = looks.at(-1);
  const isSettled = result !== null && decision !== null;
  return html`<li>
    <p class="with-icon">
      ${icon(isSettled ? (decision === "confirmed" ? "check" : "none") : state === "unpaid" ? "watch" : "sync")}
      <span>${heading}</span>
    </p>
    <p class="quiet">
      ${
        isSettled
          ? html`${capital(decided[decision])} ${outside(verdictReason(result), 400)}
              <button
                class="link"
                @click=${() => actions.post({ type: "openReceipt", id: result.receipt.id })}
              >
                ${t("Receipt")}
              </button>`
          : state === "unpaid"
            ? html`${plural(
                  found.length,
                  t("1 rule was found, and too little could be spent to measure them as a whole."),
                  t(
                    "{0} rules were found, and too little could be spent to measure them as a whole.",
                    found.length,
                  ),
                )}
                <button class="link" @click=${() => actions.confirmTogether(agent)}>
                  ${t("Confirm Together…")}
                </button>`
            : last === undefined
              ? t("Round 1 is running…")
              : describeInterim(last)
      }
    </p>
  </li>`;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
