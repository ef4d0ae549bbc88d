import { html, nothing, type TemplateResult } from "lit";
import { cleanText } from "../../../engine/base/text/text.ts";
import type { MemoryView } from "../../../engine/rules/answers.ts";
import { plural } from "../../components/figures.ts";
import { learningChart, learningNote, learningTable } from "../../components/charts/curve.ts";
import { outside, outsidePath, outsideText } from "../../components/outside.ts";
import "../../components/section.ts";
import { tableToggle } from "../../components/table/table.ts";
import { moment } from "../../components/times.ts";
import { figures, type RenderContext } from "../actions.ts";
import { unreached } from "./notices.ts";
import { describeMemory, notes } from "../describe.ts";

/** Shows an agent's memory as it is, and as it would become. */
export function memoryPage(context: RenderContext, memory: MemoryView): TemplateResult {
  const { agent, file, versions, leftOut } = memory;
  return html`<article aria-labelledby="agent">
    <header class="top">
      <p class="quiet">Memory</p>
      <h1 id="agent" tabindex="-1">${outside(agent, 80)}</h1>
      <p>${describeMemory(memory)}</p>
      ${leftOut.length === 0 ? nothing : html`<p>There is no room for ${plural(leftOut.length, "rule", "rules")}.</p>`}
      ${buttons(context, memory)}
    </header>
    ${unreached(context, agent)}
    <purser-section heading=${memory.isCurrent ? "As It Is" : "What Would Change"} note=${notes.memory}>
      <p class="quiet">${outsidePath(file, file, 90)}</p>
      ${diffOf(memory)}
    </purser-section>
    ${
      versions.length === 0
        ? nothing
        : html`<purser-section heading="Versions" note="">
            <ul class="turns">
              ${versions.map(
                ({ version, at, rules, madeBy }) =>
                  html`<li>
                    Version ${outside(version, 30)} · ${moment(at, context.now)} ·
                    ${plural(rules, "rule", "rules")} · by ${outside(madeBy, 40)}
                    <button
                      class="link"
                      @click=${() => context.actions.post({ type: "undoMemory", agent, version })}
                    >
                      Go Back to It
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
  const label = `Learning of ${name}: new tokens per completed run`;
  return html`<purser-section heading="Learning" note=${learningNote}>
    ${
      hasLearned
        ? html`<div slot="actions">
              ${tableToggle(isTable, `learning of ${name}`, () => actions.toggleTable(figures))}
            </div>
            ${isTable ? learningTable(learned, label, now) : learningChart(learned, label, now)}`
        : html`<p class="quiet">No run has begun with a memory of measured rules yet.</p>`
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
      ${isTheirs ? "Replace It, and Keep It as a Version" : "Write Memory"}
    </button>
  </div>`;
}

function diffOf({ diff: lines }: MemoryView): TemplateResult {
  if (lines.length === 0) return html`<p class="quiet">Nothing.</p>`;
  return html`<ol class="diff" role="list">
    ${lines.map(
      ({ sign, text: line }) =>
        html`<li class=${sign === "+" ? "added" : sign === "-" ? "removed" : ""}>
          <span class="sign" aria-label=${sign === "+" ? "added" : sign === "-" ? "removed" : nothing}
            >${sign}</span
          ><bdi>${cleanText(line)}</bdi>
        </li>`,
    )}
  </ol>`;
}
