import { html, nothing, type TemplateResult } from "lit";
import { plural, t } from "../../../engine/base/language.ts";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import type { BenchChoices } from "../../../engine/jobs/bench-answers.ts";
import { outside, outsidePath, said } from "../../components/outside.ts";
import "../../components/section.ts";
import { notes } from "../describe-jobs.ts";

/** Lists unfinished golden tasks. They belong to no suite, and no run uses them. */
export function draftList(drafts: BenchChoices["drafts"]): TemplateResult | typeof nothing {
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
