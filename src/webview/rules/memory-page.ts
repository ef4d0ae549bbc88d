import { html, nothing, type TemplateResult } from "lit";
import { cleanText } from "../../engine/base/text.ts";
import { plural, t, inWords } from "../../engine/base/language.ts";
import type { MemoryView, RuleView } from "../../engine/rules/rules-answers.ts";
import { learningChart, learningNote, learningTable } from "../components/charts/curve.ts";
import { outside, outsidePath, outsideText } from "../components/outside.ts";
import "../components/section.ts";
import { tableToggle } from "../components/table/table.ts";
import { moment } from "../components/times.ts";
import { ruleCount, filled } from "../components/sentences.ts";
import { figures, type RenderContext } from "./page-model.ts";
import { describeMemory, notes } from "./describe-rules.ts";
import { otherAgents } from "./page-head.ts";
import { banner, notice } from "../components/states.ts";

/** Shows an agent's memory as it is, and as it would become. */
export function memoryPage(context: RenderContext, memory: MemoryView): TemplateResult {
  const { agent, file, versions, leftOut } = memory;
  return html`<article aria-labelledby="agent">
    <header class="top">
      <p class="quiet">${t("Memory")}</p>
      <h1 id="agent" tabindex="-1">${outside(agent, 80)}</h1>
      <p>${describeMemory(memory)}</p>
      ${otherAgents(context, { kind: "memory", agent }, context.model.view?.memories.map((each) => each.agent) ?? [])}
      ${leftOut.length === 0 ? nothing : html`<p>${plural(leftOut.length, t("There is no room for 1 rule."), t("There is no room for {0} rules.", leftOut.length))}</p>`}
      ${buttons(context, memory)}
    </header>
    ${unreached(context, agent)}
    ${
      memory.project === undefined
        ? nothing
        : html`<p>
            <button class="link" @click=${() => context.actions.post({ type: "chooseMainFile" })}>
              ${t("Choose Another File…")}
            </button>
          </p>`
    }
    <purser-section heading=${memory.isCurrent ? t("As It Is") : t("What Would Change")} note=${notes.memory}>
      <p class="quiet">${outsidePath(file, file, 90)}</p>
      ${diffOf(memory)}
    </purser-section>
    ${
      versions.length === 0
        ? nothing
        : html`<purser-section heading=${t("Versions")} note="">
            <ul class="turns">
              ${versions.map(
                ({ version, at, rules, madeBy }) =>
                  html`<li>
                    ${filled(t("Version {0}"), outside(version, 30))} · ${moment(at, context.now)} ·
                    ${ruleCount(rules)} · ${filled(t("by {0}"), outside(madeBy, 40))}
                    <button
                      class="link"
                      @click=${() => context.actions.post({ type: "undoMemory", agent, version })}
                    >
                      ${t("Go Back to It")}
                    </button>
                  </li>`,
              )}
            </ul>
          </purser-section>`
    }
    ${learningOf(context, agent)}
  </article>`;
}

/** Shows what real work used with each version. */
function learningOf(
  { model: { learning }, actions, tables, now }: RenderContext,
  agent: string,
): TemplateResult {
  const isTable = tables.has(figures);
  const learned = learning?.agent === agent ? learning.learned : [];
  const hasLearned = learned.some(({ version }) => version !== null);
  const name = outsideText(agent, 40);
  const label = t("Learning of {0}: new tokens per completed run", name);
  return html`<purser-section heading=${t("Learning")} note=${learningNote}>
    ${
      hasLearned
        ? html`<div slot="actions">
              ${tableToggle(isTable, t("learning of {0}", name), () => actions.toggleTable(figures))}
            </div>
            ${isTable ? learningTable(learned, label, now) : learningChart(learned, label, now)}`
        : html`<p class="quiet">${t("No run has used a memory of measured rules yet.")}</p>`
    }
  </purser-section>`;
}

function buttons({ actions, model }: RenderContext, memory: MemoryView): TemplateResult | typeof nothing {
  const { agent, state, text, isCurrent } = memory;
  if (state === "failed" || (isCurrent && state !== "edited")) return nothing;
  const isTheirs = state === "edited" || state === "foreign";
  return html`<div class="buttons">
    <button
      class="button ${isTheirs ? "" : "primary"}"
      ?disabled=${model.isBusy}
      @click=${() => actions.post({ type: "compile", agent, replaces: isTheirs ? text : null })}
    >
      ${isTheirs ? t("Replace It, and Keep It as a Version") : t("Write Memory")}
    </button>
  </div>`;
}

function diffOf({ diff: lines }: MemoryView): TemplateResult {
  if (lines.length === 0) return html`<p class="quiet">${t("Nothing.")}</p>`;
  return html`<ol class="diff" role="list">
    ${lines.map(
      ({ sign, text: line }) =>
        html`<li class=${sign === "+" ? "added" : sign === "-" ? "removed" : ""}>
          <span class="sign" aria-label=${sign === "+" ? t("added") : sign === "-" ? t("removed") : nothing}
            >${sign}</span
          ><bdi>${cleanText(line)}</bdi>
        </li>`,
    )}
  </ol>`;
}

const [maxPathLength, maxRuleLength] = [90, 400]; // characters

/** Warns about an agent that does not read its compiled rules, and what to do. */
export function unreached({ model, actions }: RenderContext, agent: string): TemplateResult | typeof nothing {
  const why = model.unreached.find((each) => each.agent === agent);
  if (why === undefined) return nothing;
  const edit = {
    label: t("Add {0}", "memory: user"),
    run: () => actions.post({ type: "addMemory", agent }),
  };
  const choose = { label: t("Choose a File…"), run: () => actions.post({ type: "chooseMainFile" }) };
  const action = why.kind === "no-memory" ? edit : why.kind === "main" ? choose : null;
  return banner(`${t("No rule reaches this agent.")} ${inWords(why.words)}`, action);
}

/** Shows which line goes into which file, before a rule is let in. */
export function whatLettingInWrites(
  { model }: RenderContext,
  rule: RuleView,
): TemplateResult | typeof nothing {
  if (rule.status !== "measured") return nothing;
  const memory = model.view?.memories.find(({ agent }) => agent === rule.agent);
  if (memory === undefined) return nothing;
  const text = rule.scope === null ? rule.sentence : `(when ${rule.scope}) ${rule.sentence}`;
  const file = outsidePath(memory.file, memory.file, maxPathLength);
  const line = html`<code>- ${outside(text, maxRuleLength)}</code>`;
  const isTheirs = memory.state === "foreign" || memory.state === "edited";
  return notice(
    isTheirs
      ? html`${filled(
          t(
            "{0} was changed outside purser, and stays as it is until you decide on its page. Adding this rule would write this line: {1}",
          ),
          file,
          line,
        )}`
      : html`${filled(t("Adding it writes this line into {0}: {1}"), file, line)}`,
  );
}
