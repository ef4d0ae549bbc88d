import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import type { Anomaly } from "../../engine/ledger/answers.ts";
import { icon } from "../components/icon.ts";
import { link } from "../components/table/table-cells.ts";
import { moment } from "../components/times.ts";
import { turnCount } from "../components/text/counts.ts";
import type { RenderContext } from "./ledger-model.ts";
import { sessionName } from "./lists.ts";
import { anomalyReason, causeNames } from "./describe-ledger.ts";

/** Anomalies shown at first. */
const maxAnomalies = 5;

/** Lists anomalies with their reasons and their responses. */
export function anomalyList(
  context: RenderContext,
  anomalies: readonly Anomaly[],
  turns: (anomaly: Anomaly) => unknown,
): TemplateResult {
  const isWhole = context.tables.has("anomalies") || anomalies.length <= maxAnomalies + 1;
  const shown = isWhole ? anomalies : anomalies.slice(0, maxAnomalies);
  return html`<ul class="warnings anomalies">
      ${shown.map(
        (anomaly) =>
          html`<li>
            <span class="sign">${icon("warning")}</span>
            <div>
              <p><strong>${causeNames[anomaly.cause]}.</strong> ${anomalyReason(anomaly)}</p>
              <p class="quiet">
                ${turns(anomaly)}${anomaly.at === null ? nothing : html` · ${moment(anomaly.at, context.now)}`}
              </p>
            </div>
          </li>`,
      )}
    </ul>
    ${
      isWhole
        ? nothing
        : html`<button class="link" @click=${() => context.actions.toggleTable("anomalies")}>
            ${t("Show all {0}", anomalies.length)}
          </button>`
    }`;
}

/** Links an anomaly of the overview to its session. */
export function anomalyPlace(
  { actions }: RenderContext,
  { sessionId, title, turns }: Anomaly,
): TemplateResult {
  const count = turns.length === 0 ? nothing : html` · ${turnCount(turns.length)}`;
  return html`${link(sessionName(sessionId, title), () => actions.openSession(sessionId))}${count}`;
}
