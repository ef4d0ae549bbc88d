import { html, type TemplateResult } from "lit";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import { cutMiddle } from "../../../engine/base/text.ts";
import { t } from "../../../engine/base/language.ts";
import type { TrialHead, TrialView } from "../../../engine/rules/trial-answers.ts";
import { outsideText } from "../../components/outside.ts";
import { moment } from "../../components/times.ts";
import type { RenderContext } from "../page-model.ts";

/** Whether another trial of the agent is newer, or runs: that one's page starts the next. */
export function isPast(own: readonly TrialHead[], trial: TrialView | null): boolean {
  return trial !== null && own.some(({ startedAt }) => startedAt > trial.startedAt);
}

/** All trials of the agent, newest first. */
export function chooser(
  { actions, now }: RenderContext,
  own: readonly TrialHead[],
  shown: string,
): TemplateResult {
  return html`<div class="fields">
    <label
      ><span>${t("Trial")}</span>
      <select
        @change=${({ currentTarget }: Event) => {
          if (!(currentTarget instanceof HTMLSelectElement)) return;
          const chosen = own[currentTarget.selectedIndex];
          if (chosen !== undefined) actions.post({ type: "chooseTrial", agent: chosen.agent, id: chosen.id });
        }}
      >
        ${own.map(
          (head) =>
            html`<option value=${head.id} ?selected=${head.id === shown}>
              ${outsideText(describeHead(head, now), 100)}
            </option>`,
        )}
      </select></label
    >
  </div>`;
}

/** An entry of the list of an agent's trials. */
function describeHead({ project, startedAt, stoppedAt, sessions }: TrialHead, now: number): string {
  const end = stoppedAt === null ? t("running") : t("stopped {0}", moment(stoppedAt, now));
  const where = project === null ? t("all folders") : cutMiddle(project, 40);
  return t("since {0}, {1} · {2} sessions · {3}", moment(startedAt, now), end, wholeNumber(sessions), where);
}
