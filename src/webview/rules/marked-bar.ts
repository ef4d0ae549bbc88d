import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import type { RuleView } from "../../engine/rules/rules-answers.ts";
import { outside, outsidePath } from "../components/outside.ts";
import { filled } from "../components/sentences.ts";
import type { RenderContext } from "./page-model.ts";
import { tabIn } from "./list/list-entries.ts";
import { markedFor, markedRules, type ManyKind } from "./marked.ts";

/** Shows how many rules are marked, and the actions on all of them. Hidden while none is. */
export function markedBar(context: RenderContext): TemplateResult | typeof nothing {
  const { model, actions } = context;
  const rules = markedRules(model);
  if (rules.length === 0) return nothing;
  const count = (kind: ManyKind) => markedFor(model, kind).length;
  const [approve, letIn, reject] = [count("approve"), count("letIn"), count("reject")];
  return html`<div class="marked" role="group" aria-label=${t("Selected rules")}>
    <p class="strong number">
      ${plural(rules.length, t("1 rule selected"), t("{0} rules selected", wholeNumber(rules.length)))}
    </p>
    ${
      model.askingMany === null
        ? html`<div class="buttons">
            ${
              approve === 0
                ? nothing
                : button(context, "a", t("Approve {0} for Measuring", wholeNumber(approve)), () =>
                    actions.actOnMarked({ kind: "approve" }),
                  )
            }
            ${
              letIn === 0
                ? nothing
                : button(context, null, t("Add {0} to Memory…", wholeNumber(letIn)), () =>
                    actions.askMany("letIn"),
                  )
            }
            ${
              reject === 0
                ? nothing
                : button(context, "r", rejectManyLabel(context, reject), () => actions.askMany("reject"))
            }
            ${button(context, "Esc", t("Clear"), () => actions.clearMarks())}
          </div>`
        : asking(context)
    }
  </div>`;
}

function button({ model }: RenderContext, key: string | null, label: string, run: () => void) {
  return html`<button
    class="button"
    aria-keyshortcuts=${key === null ? nothing : key === "Esc" ? "Escape" : key}
    ?disabled=${model.isBusy}
    @click=${run}
  >
    ${label} ${key === null ? nothing : html`<kbd aria-hidden="true">${key}</kbd>`}
  </button>`;
}

/** Shows what an action comes to before it is done: a reason to reject, or the files that letting in writes. */
function asking(context: RenderContext): TemplateResult {
  const { model, actions } = context;
  const { askingMany: asked } = model;
  const isRejecting = asked?.kind === "reject";
  const rules = markedFor(model, isRejecting ? "reject" : "letIn");
  const send = (event: Event) => {
    event.preventDefault();
    actions.actOnMarked(isRejecting ? { kind: "reject", why: asked.why } : { kind: "letIn" });
  };
  return html`<form class="writing" @submit=${send}>
    ${
      isRejecting
        ? html`<label for="many-why">${t("Reason (optional), so that they are not proposed again")}</label>
            <input
              id="many-why"
              type="text"
              maxlength="400"
              .value=${asked.why}
              @input=${(event: InputEvent) => {
                if (event.target instanceof HTMLInputElement) actions.askMany("reject", event.target.value);
              }}
            />`
        : html`<ul class="turns">
            ${writes(context, rules).map((line) => html`<li>${line}</li>`)}
          </ul>`
    }
    <button class="button primary" type="submit" ?disabled=${model.isBusy || rules.length === 0}>
      ${sendLabel(isRejecting, rules.length)}
    </button>
    <button class="button" type="button" @click=${() => actions.askMany(null)}>${t("Cancel")}</button>
  </form>`;
}

/** In the tab of rules in memory, rejecting takes them out of it. */
function rejectManyLabel({ model }: RenderContext, rules: number): string {
  const count = wholeNumber(rules);
  return tabIn(model) === "memory" ? t("Remove {0} from Memory…", count) : t("Reject {0}…", count);
}

function sendLabel(isRejecting: boolean, rules: number): string {
  return isRejecting
    ? plural(rules, t("Reject 1 Rule"), t("Reject {0} Rules", wholeNumber(rules)))
    : plural(rules, t("Add 1 Rule"), t("Add {0} Rules", wholeNumber(rules)));
}

/** One line an agent: the file that gets its rules, or why it stays as it is. */
function writes({ model }: RenderContext, rules: readonly RuleView[]): readonly TemplateResult[] {
  const agents = [...new Set(rules.map(({ agent }) => agent))].sort();
  return agents.map((agent) => {
    const memory = model.view?.memories.find((each) => each.agent === agent);
    const count = rules.filter((rule) => rule.agent === agent).length;
    if (memory === undefined)
      return html`${outside(agent, 60)}: ${plural(count, t("1 line"), t("{0} lines", wholeNumber(count)))}`;
    const file = outsidePath(memory.file, memory.file, 90);
    const isTheirs = memory.state === "foreign" || memory.state === "edited";
    return isTheirs
      ? html`${filled(
          t("{0}: {1} was changed outside purser. It stays as it is until you decide on its page."),
          outside(agent, 60),
          file,
        )}`
      : html`${filled(
          plural(count, t("{0}: {1} line into {2}"), t("{0}: {1} lines into {2}")),
          outside(agent, 60),
          wholeNumber(count),
          file,
        )}`;
  });
}
