import { html, nothing, type TemplateResult } from "lit";
import { inWords, plural, t } from "../../../engine/base/language.ts";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import { outside, said } from "../../components/outside.ts";
import { isSample } from "../../components/panel-links.ts";
import "../../components/section.ts";
import { column } from "../../components/table/table-cells.ts";
import { dataTable } from "../../components/table/table.ts";
import type { FormPart } from "./what-changes.ts";
import { tasksOf } from "./form.ts";

/** With fewer tasks, a verdict is about these tasks only. */
const enoughTasks = 12;

/** Says how far a verdict reaches, makes tasks of the project's commits, and lists what became of each. */
export function ownTasks({ context, offers, form, offer }: FormPart): TemplateResult | typeof nothing {
  if (isSample || (form.kind !== "benchmark" && form.kind !== "comparison")) return nothing;
  const { history } = offers.choices;
  const few = tasksOf(form, offer).length < enoughTasks || offer.suite.origin === "built-in";
  const made = history.filter(({ isTask }) => isTask).length;
  const others = history.filter(({ isTask }) => !isTask);
  return html`<purser-section
    heading=${t("Tasks of Your Project")}
    note=${t("Commits that change tests and code become golden tasks. Each begins before its commit, and its check is the commit's own tests. Making them takes no tokens.")}
  >
    <div class="own-tasks">
      ${few ? html`<p>${t("A verdict speaks only of the tasks it was measured on: your own count most.")}</p>` : nothing}
      <div class="buttons">
        <button type="button" class="button" @click=${() => context.actions.ask({ type: "draftTasks" })}>
          ${t("Make Tasks from History…")}
        </button>
      </div>
      ${
        history.length === 0
          ? nothing
          : html`<p class="quiet number">
              ${plural(made, t("1 commit became a task"), t("{0} commits became tasks", wholeNumber(made)))} ·
              ${plural(others.length, t("1 could not"), t("{0} could not", wholeNumber(others.length)))}
            </p>`
      }
      ${
        others.length === 0
          ? nothing
          : html`<details>
              <summary>${t("Why not")}</summary>
              ${dataTable({
                label: t("Commits that became no task"),
                headings: [column(t("Commit")), column(t("Reason"))],
                rows: others.map(({ commit, subject, why }) => ({
                  key: commit,
                  cells: [
                    {
                      content: () =>
                        html`${outside(subject, 80)} <span class="quiet">${outside(commit, 10)}</span>`,
                      sort: subject,
                    },
                    { content: () => said(why, 200), sort: inWords(why) },
                  ],
                })),
                most: 20,
              })}
            </details>`
      }
    </div>
  </purser-section>`;
}
