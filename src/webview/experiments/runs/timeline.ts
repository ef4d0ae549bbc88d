import { html, nothing, svg, type TemplateResult } from "lit";
import { decimalNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import { t } from "../../../engine/base/language.ts";
import type { RunPage, TimelineTurn } from "../../../engine/jobs/bench-answers.ts";
import { absent, unknown } from "../../components/figures.ts";
import { icon } from "../../components/icon.ts";
import { outside } from "../../components/outside.ts";
import { spaced } from "../../components/sentences.ts";

/** Maximum turns shown of a run; more rows are not informative. */
const maxTurns = 400;
/** Maximum tool calls named per turn. */
const maxCalls = 8;

/** Tokens of a run's most expensive turn, to which the bars of runs side by side are scaled. */
export function longestTurn({ trajectory }: RunPage): number {
  return Math.max(0, ...(trajectory?.turns ?? []).map(({ processingTokens }) => processingTokens));
}

/** Lists responses: their calls or text, tokens, and time. */
export function timeline(
  turns: readonly TimelineTurn[],
  { largest, name }: { largest: number; name: string },
): TemplateResult {
  if (turns.length === 0) return html`<p class="quiet">${t("It made no turn.")}</p>`;
  const shown = turns.slice(0, maxTurns);
  const last = turns.findLast(({ isSidechain }) => !isSidechain);
  return html`<div class="frame" tabindex="-1">
      <table class="timeline" aria-label=${t("Timeline of {0}", name)}>
        <thead>
          <tr>
            <th scope="col" class="end">${t("Turn")}</th>
            <th scope="col">${t("Action")}</th>
            <th scope="col" class="end">${t("Tokens")}</th>
            <th scope="col" class="end">${t("Seconds")}</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map((turn) => row(turn, { largest, isLast: turn === last }))}
        </tbody>
      </table>
    </div>
    ${
      shown.length < turns.length
        ? html`<p class="quiet">${t("The first {0} of {1} turns.", maxTurns, wholeNumber(turns.length))}</p>`
        : nothing
    }`;
}

function row(
  turn: TimelineTurn,
  { largest, isLast }: { readonly largest: number; readonly isLast: boolean },
): TemplateResult {
  const width = `${((turn.processingTokens / largest) * 100).toFixed(2)}%`;
  return html`<tr class=${turn.isSidechain ? "sidechain" : ""}>
    <th scope="row" class="end number">${turn.turn}</th>
    <td>${did(turn, isLast)}</td>
    <td class="end number">
      ${wholeNumber(turn.processingTokens)}<svg class="bar" aria-hidden="true">
        ${svg`<rect class="amount" width=${width} height="3" rx="1.5" />`}
      </svg>
    </td>
    <td class="end number">${turn.ms === null ? unknown : decimalNumber(turn.ms / 1000, 1)}</td>
  </tr>`;
}

const failed = html`<span class="with-icon"
  >${icon("close")}<span class="hidden-text">${t("failed:")}</span></span
>`;

function call(tool: string, target: string | null): TemplateResult {
  const name = html`<span class="tool-name">${outside(tool, 40)}</span>`;
  return target === null ? name : spaced(name, html`<span class="target">${outside(target, 64)}</span>`);
}

/** @param isLast whether the run ends with it: without a call it is the answer */
function did({ calls, text, isSidechain }: TimelineTurn, isLast: boolean): TemplateResult {
  const named = calls.slice(0, maxCalls);
  return html`${isSidechain ? html`<span class="quiet">${t("subagent")}</span>` : nothing}${
    named.length === 0
      ? nothing
      : html`<ul>
          ${named.map(
            ({ tool, target, isError }) =>
              html`<li class=${isError ? "failed" : ""}>
                ${isError ? spaced(failed, call(tool, target)) : call(tool, target)}
              </li>`,
          )}
          ${calls.length > named.length ? html`<li class="quiet">${t("and {0} more", calls.length - named.length)}</li>` : nothing}
        </ul>`
  }${named.length > 0 ? nothing : message(text, isLast)}`;
}

function message(text: string | null, isLast: boolean): TemplateResult {
  const answer = isLast ? html`<span class="quiet">${t("Final answer")}</span>` : nothing;
  if (text === null) return isLast ? html`${answer}` : absent(t("No call, and no text"));
  return html`${answer}${isLast ? ": " : nothing}<span class="said">${outside(text, 140)}</span>`;
}
