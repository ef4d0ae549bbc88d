import { html, svg, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/text/local-format.ts";
import { t } from "../../engine/base/text/l10n.ts";
import type { ReportView } from "../../engine/rules/answers.ts";
import { absentCell } from "../components/table/table-cells.ts";
import type { Cell } from "../components/table/table-rows.ts";
import { shortDay } from "../components/times.ts";

type Agent = Pick<ReportView["agents"][number], "weeks" | "learned">;

const [width, height, inset] = [110, 22, 3];
const week = 7 * 24 * 60 * 60_000;

/** Draws the median of an agent's runs by week as a line from zero, with a tick where a version of its rules began. */
export function trendCell({ weeks, learned }: Agent): Cell {
  const [first, last] = [weeks[0], weeks.at(-1)];
  if (first === undefined || last === undefined || weeks.length < 2)
    return absentCell(t("Needs runs in two weeks"));
  const largest = Math.max(...weeks.map(({ median }) => median), 1);
  const span = Math.max(week, last.at - first.at);
  const x = (at: number) => inset + ((width - 2 * inset) * (at - first.at)) / span;
  const y = (median: number) => height - inset - ((height - 2 * inset) * median) / largest;
  const points = weeks.map(({ at, median }) => `${x(at).toFixed(1)} ${y(median).toFixed(1)}`);
  const versions = learned.flatMap(({ version, at }) =>
    version === null || at === null || at < first.at || at > last.at + week ? [] : [{ version, at }],
  );
  const content = (): TemplateResult =>
    html`<svg class="spark" role="img" width=${width} height=${height}>
      <title>${spoken(weeks, versions)}</title>
      ${svg`${versions.map(({ at }) => {
        const across = Math.min(width - inset, x(at)).toFixed(1);
        return svg`<line class="version" x1=${across} x2=${across} y1="0" y2=${height} />`;
      })}
      <path class="line" d="M${points.join("L")}" />
      <circle class="end" cx=${x(last.at).toFixed(1)} cy=${y(last.median).toFixed(1)} r="2.5" />`}
    </svg>`;
  return { content, sort: last.median / Math.max(1, first.median) };
}

function spoken(weeks: Agent["weeks"], versions: readonly { version: string; at: number }[]): string {
  const medians = weeks.map(({ at, median }) => `${shortDay(new Date(at))} ${wholeNumber(median)}`);
  const rules = versions.map(({ version, at }) => t("version {0} on {1}", version, shortDay(new Date(at))));
  return rules.length === 0
    ? t("Median tokens a run by week: {0}", medians.join(", "))
    : t("Median tokens a run by week: {0}; rules: {1}", medians.join(", "), rules.join(", "));
}
