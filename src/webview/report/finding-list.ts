import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/text/format.ts";
import type { ReportView } from "../../engine/rules/answers.ts";
import { agentNames } from "../components/page-agents.ts";
import { outside, outsideText } from "../components/outside.ts";
import "../components/section.ts";
import { moment } from "../components/times.ts";
import type { RenderContext } from "./actions.ts";
import { notes } from "./describe.ts";

/** Longest texts shown in full. Characters. */
const [longestText, longestName] = [400, 40];

/** Lists findings about costly runs that cannot become rules, with what is missing for that. */
export function findings({ now }: RenderContext, report: ReportView): TemplateResult | typeof nothing {
  if (report.findings.length === 0) return nothing;
  const items = report.findings.map(
    ({ at, tokens, usual, what, missing, ...of }) =>
      html`<li>
        <p>
          <strong>${outsideText(agentNames.describe(of), longestName)}</strong>
          <span class="quiet">
            · ${wholeNumber(tokens)} new
            tokens${usual === null ? nothing : html`, usually at most ${wholeNumber(usual)}`} ·
            ${moment(at, now)}
          </span>
        </p>
        ${what.map((each) => html`<p>${outside(each, longestText)}</p>`)}
        ${missing.map((each) => html`<p class="quiet">${outside(each.words, longestText)}</p>`)}
        ${
          missing.length === 0
            ? html`<p class="quiet">
                Nothing is missing any more:
                <code>purser rules distil --session ${outsideText(of.sessionId, 80)}</code> proposes rules.
              </p>`
            : nothing
        }
      </li>`,
  );
  return html`<purser-section heading="Costly runs without rules" note=${notes.findings}>
    <ul class="entries">
      ${items}
    </ul>
  </purser-section>`;
}
