import { html, type TemplateResult } from "lit";
import { plural, t } from "../../engine/base/language.ts";
import { wholeNumber } from "../../engine/base/local-format.ts";
import type { EconomyView } from "../../engine/recurring/recurring-answers.ts";
import { icon } from "../components/icon.ts";
import { outside } from "../components/outside.ts";
import "../components/section.ts";
import { filled } from "../components/sentences.ts";
import { stateView } from "../components/states.ts";
import { dataTable } from "../components/table/table.ts";
import {
  column,
  costCell,
  extra,
  link,
  numberCell,
  numberColumn,
  textCell,
  timeCell,
} from "../components/table/table-cells.ts";
import { moment } from "../components/times.ts";
import { describeRun, describeWorth, notes, problemsOf } from "./describe-economy.ts";
import type { RenderContext } from "./economy-model.ts";

/** Maximum length of an agent's name. Characters. */
const maxNameLength = 60;

/** Shows everything below the title: a sentence for each agent, what is wrong, and the newest runs. */
export function economyPage(context: RenderContext, view: EconomyView): TemplateResult {
  const { agents } = view.report;
  if (agents.length === 0) return emptyPage(context);
  const problems = agents.flatMap((agent) => problemsOf(agent).map((problem) => ({ agent, problem })));
  return html`<ul class="plain worth">
      ${agents.map(
        (each) =>
          html`<li>${filled("{0}: {1}", agentLink(context, each), describeWorth(each).join(" · "))}</li>`,
      )}
    </ul>
    <purser-section heading=${t("Problems")}>
      ${
        problems.length === 0
          ? html`<p class="quiet">${t("None in the last {0} days.", context.model.kept.days)}</p>`
          : html`<ul class="warnings">
              ${problems.map(
                ({ agent, problem }) =>
                  html`<li>
                    <span class="sign">${icon("warning")}</span>
                    <div>${filled("{0}: {1}", agentLink(context, agent), problem)}</div>
                  </li>`,
              )}
            </ul>`
      }
    </purser-section>
    <purser-section heading=${t("Runs")} note=${notes.runs}>${runTable(context, view)}</purser-section>`;
}

function emptyPage({ actions, model }: RenderContext): TemplateResult {
  return stateView({
    icon: "inbox",
    heading: t("No runs yet"),
    text: t(
      "No agent ran in the last {0} days. A recurring agent works on tasks by a schedule, in the session it had: it is a file in .purser/agents.",
      model.kept.days,
    ),
    actions: [{ label: t("New Recurring Agent…"), run: () => actions.post({ type: "getStarted" }) }],
  });
}

/** Opens the agent's file. */
function agentLink(
  { actions }: RenderContext,
  { agent, project }: Pick<EconomyView["report"]["agents"][number], "agent" | "project">,
): TemplateResult {
  return link(outside(agent, maxNameLength), () => actions.post({ type: "openAgent", project, agent }));
}

function runTable({ actions, now }: RenderContext, { wakes }: EconomyView): TemplateResult {
  const rows = wakes.map((run) => {
    const { source, session, outcome } = describeRun(run);
    const { id, at, agent, taskId, sessionId, usd, input } = run;
    return {
      key: id,
      cells: [
        {
          content: () =>
            sessionId === null
              ? timeCell(at, now).content()
              : link(
                  moment(at, now),
                  () => actions.post({ type: "openSession", id: sessionId }),
                  t("{0}, session of {1}", moment(at, now), agent),
                ),
          sort: at,
        },
        textCell(agent),
        textCell(taskId, t("None")),
        textCell(source),
        textCell(session),
        textCell(outcome),
        numberCell(run.normalizedInput),
        costCell({
          usd,
          unpriced: usd === null && input !== null ? 1 : 0,
          unpricedWhy: t("The run has no known price"),
        }),
      ],
    };
  });
  const headings = [
    column(t("Started")),
    column(t("Agent")),
    extra(column(t("Task"))),
    extra(column(t("By"))),
    extra(column(t("Session"))),
    column(t("Result")),
    extra(numberColumn(t("Cost-weighted tokens"), t("Input, each token by its price"))),
    numberColumn(t("Cost (USD)"), t("At list prices")),
  ];
  return dataTable({ label: t("Runs"), headings, rows, most: 15 });
}

/** For screen readers. */
export function spokenCount({ report }: EconomyView): string {
  const agents = report.agents.length;
  return plural(
    agents,
    t("{0} runs of 1 agent shown.", wholeNumber(report.total.wakes)),
    t("{0} runs of {1} agents shown.", wholeNumber(report.total.wakes), wholeNumber(agents)),
  );
}
