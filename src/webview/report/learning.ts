import { html, type TemplateResult } from "lit";
import { t } from "../../engine/base/text/l10n.ts";
import type { ReportView } from "../../engine/rules/answers.ts";
import { agentNames } from "../components/page-agents.ts";
import { learningChart, learningNote, learningTable } from "../components/charts/curve.ts";
import { outsideText } from "../components/outside.ts";
import "../components/section.ts";
import { tableToggle } from "../components/table/table.ts";
import type { RenderContext } from "./report-actions.ts";

const maxAgentLength = 40; // characters

/** Shows what a run of real work used with each version of each agent's memory. */
export function learningSections(context: RenderContext, { agents }: ReportView): TemplateResult {
  // An agent without a memory has nothing to compare.
  const learning = agents.filter(({ learned }) => learned.some(({ version }) => version !== null));
  if (learning.length === 0)
    return html`<purser-section heading=${t("Learning")} note=${learningNote}>
      <p class="quiet nothing">
        ${t("No run has begun with a memory of measured rules yet. Once a rule is let in, what real work takes before and after it is compared here.")}
      </p>
    </purser-section>`;
  return html`${learning.map((agent) => learningOf(context, agent))}`;
}

function learningOf(
  context: RenderContext,
  { agent, program, learned }: ReportView["agents"][number],
): TemplateResult {
  const { actions, now, tables } = context;
  const key = agentNames.describe({ agent, program });
  const name = outsideText(key, maxAgentLength);
  const label = t("Learning of {0}: new tokens per completed run", name);
  const isTable = tables.has(key);
  return html`<purser-section heading=${t("Learning of {0}", name)} note=${learningNote}>
    <div slot="actions">
      ${tableToggle(isTable, t("learning of {0}", name), () => actions.toggleTable(key))}
    </div>
    ${isTable ? learningTable(learned, label, now) : learningChart(learned, label, now)}
  </purser-section>`;
}
