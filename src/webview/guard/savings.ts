import { characterScale } from "../../engine/base/format.ts";
import { html, type TemplateResult } from "lit";
import { estimatedNumber, shortNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import type { GuardView } from "../../engine/guard/answers.ts";
import "../components/charts/bar.ts";
import { largestSeries, sum } from "../components/charts/series.ts";
import "../components/section.ts";
import { tableToggle } from "../components/table/table.ts";
import { dayDate, longDay, shortDay } from "../components/times.ts";
import type { RenderContext } from "./guard-model.ts";
import { nameOf, recordings, savingsNote } from "./describe-guard.ts";
import type { ViewMessage } from "./protocol.ts";
import { daysBetween, savedBytes, savingsByFamily } from "./tallies.ts";

/** Shows what smaller outputs save by family and day. */
export function savingsSection(context: RenderContext, { from, to, view }: ViewMessage): TemplateResult {
  const scale = characterScale(view.charactersPerToken);
  const days = daysBetween(from, to);
  const savings = savingsByFamily(view, days, scale);
  const isMixed = new Set(savings.map(({ isObserved }) => isObserved)).size > 1;
  const { series, values } = largestSeries(
    savings.map(({ family, isObserved, values: own }) => ({
      name: !isMixed
        ? nameOf(family)
        : isObserved
          ? t("{0}, observed", nameOf(family))
          : t("{0}, saved", nameOf(family)),
      values: own,
    })),
    (count) => t("{0} others", count),
  );
  const label = t("Tokens saved by family and day, estimated");
  const isTable = context.tables.has("savings");
  const note = savingsNote(scale.charactersPerToken, scale.requests);
  const columns = days.map((day, index) => ({
    name: longDay(dayDate(day)),
    tick: shortDay(dayDate(day)),
    values: values.map((one) => one[index] ?? 0),
  }));
  const [first = from] = days;
  if (series.length === 0)
    return html`<purser-section heading=${t("Savings by day")} note=${note}>
      <p class="quiet nothing">
        ${t("No output in this time could have been made smaller. Savings appear here by family and day, once an agent with purser's hooks runs commands with long outputs.")}
      </p>
    </purser-section>`;
  return html`<purser-section heading=${t("Savings by day")} note=${note}>
    <div slot="actions">${tableToggle(isTable, label, () => context.actions.toggleTable("savings"))}</div>
    <purser-bar-chart
      label=${label}
      columnHeading=${t("Day")}
      .series=${series}
      .columns=${columns}
      .summary=${{
        name: `${longDay(dayDate(first))} – ${longDay(dayDate(to))}`,
        values: values.map(sum),
      }}
      .format=${(value: number) => `~${estimatedNumber(value)}`}
      .axisFormat=${shortNumber}
      ?isTable=${isTable}
      isNewestFirst
    ></purser-bar-chart>
    <p class="quiet nothing">${describeKind(view)} ${recordings}</p>
  </purser-section>`;
}

/** Says whether tokens were saved, or would have been. */
function describeKind(view: GuardView): string {
  const { saved, would } = savedBytes(view);
  if (would === 0) return t("Saved: agents were sent smaller outputs.");
  if (saved === 0) return t("Would have been saved: agents were sent their outputs whole.");
  return t("Saved, where agents were sent smaller outputs; observed, where they were sent them whole.");
}
