import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import type { ReportView } from "../../engine/rules/answers.ts";
import { agentNames } from "../components/page-agents.ts";
import { said, outsideText } from "../components/outside.ts";
import "../components/section.ts";
import { moment } from "../components/times.ts";
import { filled } from "../components/text/sentences.ts";
import type { RenderContext } from "./report-model.ts";
import { notes } from "./describe-report.ts";

/** Maximum lengths of texts. Characters. */
const [maxTextLength, maxNameLength] = [400, 40];

/** Lists findings about costly runs that cannot become rules, with what is missing for that. */
export function findings({ now }: RenderContext, report: ReportView): TemplateResult | typeof nothing {
  if (report.findings.length === 0) return nothing;
  const items = report.findings.map(
    ({ at, tokens, usual, what, missing, ...of }) =>
      html`<li>
        <p>
          <strong>${outsideText(agentNames.describe(of), maxNameLength)}</strong>
          <span class="quiet">
            ·
            ${usual === null ? t("{0} new tokens", wholeNumber(tokens)) : t("{0} new tokens, usually at most {1}", wholeNumber(tokens), wholeNumber(usual))}
            · ${moment(at, now)}
          </span>
        </p>
        ${what.map((each) => html`<p>${said(each, maxTextLength)}</p>`)}
        ${missing.map((each) => html`<p class="quiet">${said(each.words, maxTextLength)}</p>`)}
        ${
          missing.length === 0
            ? html`<p class="quiet">
                ${filled(
                  t("Nothing is missing any more: {0} proposes rules."),
                  html`<code>purser rules distil --session ${outsideText(of.sessionId, 80)}</code>`,
                )}
              </p>`
            : nothing
        }
      </li>`,
  );
  return html`<purser-section heading=${t("Costly runs without rules")} note=${notes.findings}>
    <ul class="findings">
      ${items}
    </ul>
  </purser-section>`;
}
