import { html, type TemplateResult } from "lit";
import { t } from "../../engine/base/text/l10n.ts";
import type { Overview } from "../../engine/ledger/answers.ts";
import { agentNames } from "../components/page-agents.ts";
import { shareCell, textCell, timeCell } from "../components/table/table-cells.ts";
import { planLimitName } from "./plan-limit-name.ts";

/** Shows how much of each plan limit was used when the agent last reported it. */
export function limitsTable({ planLimits }: Overview, now: number): TemplateResult {
  const rows = planLimits.map(({ program, name, windowMinutes, at, usedPercent, resetsAt }) => ({
    key: `${program} ${name}`,
    cells: [
      textCell(`${agentNames.of(program)} · ${planLimitName({ name, windowMinutes })}`),
      shareCell(usedPercent, 100, true),
      resetsAt === null ? textCell(null) : timeCell(resetsAt, now),
      timeCell(at, now),
    ],
  }));
  const headings = [
    { text: t("Limit") },
    { text: t("Used") },
    { text: t("Resets"), isNumber: true },
    { text: t("Reported"), isNumber: true },
  ];
  return html`<purser-table label=${t("Plan limits")} .headings=${headings} .rows=${rows}></purser-table>`;
}
