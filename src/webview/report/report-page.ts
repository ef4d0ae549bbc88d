import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import { muchMeasured, type ReportView } from "../../engine/rules/rules-answers.ts";
import { cards } from "../components/figures.ts";
import { link } from "../components/table/table-cells.ts";
import { outside, outsideText, said } from "../components/outside.ts";
import { sum } from "../components/charts/series.ts";
import { banner, stateView } from "../components/states.ts";
import { moment } from "../components/times.ts";
import { filled } from "../components/sentences.ts";
import type { RenderContext } from "./report-model.ts";
import { activeTable, agentTable, projectTable, questionTable, suiteTable } from "./tables.ts";
import { describeMetaCost, notes, describeShare } from "./describe-report.ts";
import { agentNames } from "../components/page-agents.ts";
import { learningChart, learningNote, learningTable } from "../components/charts/curve.ts";
import { tableToggle } from "../components/table/table.ts";
import "../components/section.ts";

const maxAgentLength = 40; // characters

/** Shows what a run of real work used with each version of each agent's memory. */
function learningSections(context: RenderContext, { agents }: ReportView): TemplateResult {
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

/** Maximum length of a rule, reason or message. Characters. */
const maxTextLength = 220;

/** Shows the report below its title. */
export function reportPage(context: RenderContext, report: ReportView): TemplateResult {
  if (isEmpty(report)) return emptyPage(context);
  const { agents, projects } = report;
  const hasSuites = agents.some(({ suites }) => suites.length > 0);
  return html`${totals(context, report)}
    <purser-section heading=${t("Agents")} note=${notes.agents}>
      ${agents.length === 0 ? quiet(t("No agent has completed a run or has a rule yet.")) : agentTable(report)}
    </purser-section>
    ${activeRules(context, report)}
    <purser-section heading=${t("Golden suites")} note=${notes.suites}>
      ${
        hasSuites
          ? suiteTable(context, report)
          : html`${quiet(t("No golden task was completed yet, so there is no baseline to hold an agent against."))}
            ${link(t("Open Benchmark"), () => context.actions.post({ type: "openBenchmark" }))}`
      }
    </purser-section>
    ${learningSections(context, report)}
    <purser-section heading=${t("Real work by project")} note=${notes.projects}>
      ${projects.length === 0 ? quiet(t("No run of real work was completed yet.")) : projectTable(report)}
    </purser-section>
    ${findings(context, report)} ${evictions(context, report)} ${questions(context, report)}`;
}

function isEmpty({ agents, projects, questions: { count }, metaCost }: ReportView): boolean {
  return agents.length + projects.length + count + metaCost.benches === 0;
}

function emptyPage({ actions }: RenderContext): TemplateResult {
  return stateView({
    icon: "inbox",
    heading: t("Nothing to report yet"),
    text: t(
      "Once an agent has completed a run, this shows what runs take, how agents stand against their golden baseline, which rules earn their place, and what measuring costs.",
    ),
    actions: [{ label: t("Get Started"), run: () => actions.post({ type: "getStarted" }) }],
  });
}

/** Shows the main figure, measuring's share of it, and the other figures. */
function totals(
  { actions }: RenderContext,
  { agents, metaCost, questions: { count } }: ReportView,
): TemplateResult {
  const { realWork, share } = metaCost;
  const active = sum(agents.map(({ rules }) => rules.active));
  const waiting = sum(agents.map(({ rules }) => rules.candidate + rules.measured));
  const isMuch = share !== null && share > muchMeasured;
  return html`<div class="totals">
      <p class="one">
        ${filled(t("{0} new tokens of real work in seven days"), html`<span class="number">${wholeNumber(realWork)}</span>`)}
      </p>
      <p class="quiet number">${describeMetaCost(metaCost)}</p>
      ${cards([
        [t("Completed runs"), sum(agents.map(({ runs }) => runs))],
        ...withoutZeros([
          [t("Active rules"), active],
          [t("Rules waiting for you"), waiting],
          [t("Messages waiting"), count],
        ]),
      ])}
    </div>
    ${
      isMuch
        ? banner(
            t(
              "Measuring takes {0} of what real work takes; more than {1} is much. Run fewer tasks, or set a cap on tokens.",
              describeShare(share),
              describeShare(muchMeasured),
            ),
            { label: t("Open Benchmark"), run: () => actions.post({ type: "openBenchmark" }) },
          )
        : nothing
    }`;
}

/** A figure of zero is not informative. */
function withoutZeros(figures: readonly [string, number][]): [string, number][] {
  return figures.filter(([, value]) => value > 0);
}

function activeRules(context: RenderContext, report: ReportView): TemplateResult {
  const isAny = report.agents.some(({ active }) => active.length > 0);
  return html`<purser-section heading=${t("Active rules")} note=${notes.active}>
    ${isAny ? activeTable(context, report) : quiet(t("No rule is in an agent's memory yet."))}
  </purser-section>`;
}

/** Lists evicted rules as links, with the reason of each. */
function evictions({ actions, now }: RenderContext, report: ReportView): TemplateResult {
  const items = report.evictions.map(
    ({ id, agent, text, at, why }) =>
      html`<li>
        <p>${link(outside(text, maxTextLength), () => actions.post({ type: "review", id }))}</p>
        <p>${why.text === "" ? t("No reason was given.") : said(why, maxTextLength)}</p>
        <p class="quiet">
          ${outside(agent, maxAgentLength)}${at === null ? nothing : html` · ${moment(at, now)}`}
        </p>
      </li>`,
  );
  return html`<purser-section heading=${t("Removed lately")} note=${notes.evictions}>
    ${
      items.length === 0
        ? quiet(t("No rule was removed."))
        : html`<ul class="findings">
            ${items}
          </ul>`
    }
    ${report.receipts === 0 ? nothing : html`<p class="nothing">${link(plural(report.receipts, t("1 report of measured rules"), t("{0} reports of measured rules", wholeNumber(report.receipts))), () => actions.post({ type: "review", id: null }))}</p>`}
  </purser-section>`;
}

function questions(
  { now }: RenderContext,
  { questions: { count, newest, byAgent } }: ReportView,
): TemplateResult {
  const items = newest.map(
    ({ agent, toAgent, at, body }) =>
      html`<li>
        <p>
          ${filled(
            t("{0} to {1}"),
            html`<strong>${outsideText(agent, maxAgentLength)}</strong>`,
            html`<strong>${toAgent === null ? t("unknown") : outsideText(toAgent, maxAgentLength)}</strong>`,
          )}
          ${at === null ? nothing : html`<span class="quiet">· ${moment(at, now)}</span>`}
        </p>
        <p>${outside(body, maxTextLength)}</p>
      </li>`,
  );
  return html`<purser-section heading=${t("Questions between agents")} note=${notes.questions}>
    ${byAgent.length === 0 ? nothing : questionTable(byAgent)}
    ${
      count === 0
        ? quiet(t("No message waits for an answer."))
        : html`<ul class="findings">
            ${items}
          </ul>`
    }
    ${
      count > newest.length
        ? quiet(t("The {0} newest of {1}.", wholeNumber(newest.length), wholeNumber(count)))
        : nothing
    }
  </purser-section>`;
}

function quiet(text: string): TemplateResult {
  return html`<p class="quiet nothing">${text}</p>`;
}

// characters

/** Maximum length of a finding. Characters. */
const maxFindingLength = 400;

/** Lists findings about costly runs that cannot become rules, with what is missing for that. */
function findings({ now }: RenderContext, report: ReportView): TemplateResult | typeof nothing {
  if (report.findings.length === 0) return nothing;
  const items = report.findings.map(
    ({ at, tokens, usual, what, missing, ...of }) =>
      html`<li>
        <p>
          <strong>${outsideText(agentNames.describe(of), maxAgentLength)}</strong>
          <span class="quiet">
            ·
            ${usual === null ? t("{0} new tokens", wholeNumber(tokens)) : t("{0} new tokens, usually at most {1}", wholeNumber(tokens), wholeNumber(usual))}
            · ${moment(at, now)}
          </span>
        </p>
        ${what.map((each) => html`<p>${said(each, maxFindingLength)}</p>`)}
        ${missing.map((each) => html`<p class="quiet">${said(each.words, maxFindingLength)}</p>`)}
        ${
          missing.length === 0
            ? html`<p class="quiet">
                ${filled(
                  t("Nothing is missing any more: {0} proposes rules."),
                  html`<code>purser rules distil --session ${outsideText(of.sessionId, 80)}</code>`,
                )}
              </p>`
            : nothing
        }
      </li>`,
  );
  return html`<purser-section heading=${t("Costly runs without rules")} note=${notes.findings}>
    <ul class="findings">
      ${items}
    </ul>
  </purser-section>`;
}
