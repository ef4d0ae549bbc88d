import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import {
  describeNotJudged,
  isNotJudged,
  type GuardHit,
  type GuardRuleView,
} from "../../engine/guard/guard-answers.ts";
import { icon } from "../components/icon.ts";
import { link } from "../components/table/table-cells.ts";
import { outside, outsideText, outsideWithCode } from "../components/outside.ts";
import { agentNames } from "../components/page-agents.ts";
import { moment } from "../components/times.ts";
import { filled } from "../components/sentences.ts";
import { type RenderContext, rulesById } from "./guard-model.ts";
import { describeOutcome } from "./describe-guard.ts";
import { hitsByRule } from "./tallies.ts";
import { allowButton, allowForm, canExcept, writtenException } from "./allow.ts";

/** Maximum lengths of texts. Characters. */
const [maxExcerptLength, maxTitleLength, maxTextLength] = [160, 48, 400];
/** Rules, and calls of each, that are shown at first. */
const [maxRules, maxCalls] = [8, 3];

/**
 * Lists hits by rule, with their calls and a button to allow similar ones.
 * @param key names the list for Show All
 */
export function firedList(
  context: RenderContext,
  { hits, key, to }: { readonly hits: readonly GuardHit[]; readonly key: string; readonly to: string },
): TemplateResult {
  const groups = hitsByRule(hits);
  const shown = context.tables.has(key) ? groups : atFirst(groups, maxRules);
  return html`<ul class="fired">
      ${repeat(
        shown,
        ({ rule }) => rule,
        (group) => groupItem(context, group, to),
      )}
    </ul>
    ${shown.length === groups.length ? nothing : showAll(context, key, t("Show all {0} rules", wholeNumber(groups.length)))}`;
}

/** A single one more is shown too: a button in its place would take as much room. */
function atFirst<Item>(items: readonly Item[], most: number): readonly Item[] {
  return items.length <= most + 1 ? items : items.slice(0, most);
}

function showAll({ actions }: RenderContext, key: string, label: string): TemplateResult {
  return html`<button class="link" @click=${() => actions.toggleTable(key)}>${label}</button>`;
}

function groupItem(
  context: RenderContext,
  { rule: id, count, entries }: ReturnType<typeof hitsByRule>[number],
  to: string,
): TemplateResult {
  const { model, tables } = context;
  const rule = rulesById(model).get(id);
  // The page of a rule has its name and its text above the list.
  const isAlone = model.kept.rule === id;
  const key = `calls of ${id}`;
  const shown = isAlone || tables.has(key) ? entries : atFirst(entries, maxCalls);
  return html`<li class="rule-hits">
    ${isAlone ? nothing : groupHead(context, id, count)}
    <ul>
      ${repeat(
        shown,
        ({ hit }) => hit.id,
        (entry) => item(context, entry, { rule, to }),
      )}
    </ul>
    ${shown.length === entries.length ? nothing : showAll(context, key, t("Show all {0} calls", wholeNumber(entries.length)))}
  </li>`;
}

/** The rule with its number of warnings. Its text is a note, as it is the same for all of its calls. */
function groupHead(context: RenderContext, id: string, count: number): TemplateResult {
  const { model, actions, tables } = context;
  const rule = rulesById(model).get(id);
  const name = outside(id, maxTitleLength);
  const times = plural(count, t("1 time"), t("{0} times", wholeNumber(count)));
  if (rule === undefined)
    return html`<p><strong>${name}</strong> <span class="quiet">· ${times}</span></p>
      ${isNotJudged({ rule: id }) ? html`<p class="quiet">${outsideWithCode(describeNotJudged(id), maxTextLength)}</p>` : nothing}`;
  const key = `text of ${id}`;
  const isOpen = tables.has(key);
  return html`<p>
      ${link(name, () => actions.openRule(id))} <span class="quiet">· ${times}</span>
      <button
        class="tool"
        title=${t("What {0} is about", outsideText(id, maxTitleLength))}
        aria-expanded=${isOpen ? "true" : "false"}
        @click=${() => actions.toggleTable(key)}
      >
        ${icon("info")}
      </button>
    </p>
    ${isOpen ? html`<p class="quiet">${outsideWithCode(`${rule.message} ${rule.remedy}`, maxTextLength)}</p>` : nothing}`;
}

function item(
  context: RenderContext,
  { hit, count, outcomes }: ReturnType<typeof hitsByRule>[number]["entries"][number],
  { rule, to }: { readonly rule: GuardRuleView | undefined; readonly to: string },
): TemplateResult {
  const { actions, now } = context;
  const times = count === 1 ? nothing : html` · ${t("{0} times", wholeNumber(count))}`;
  return html`<li>
    <div class="call">
      <p>
        <code
          >${hit.excerpt === null ? (hit.tool !== null && isNotJudged(hit) ? outside(hit.tool, maxTitleLength) : t("unknown call")) : outside(hit.excerpt, maxExcerptLength)}</code
        >
        <span class="quiet"
          >·
          <span class="deed deed-${outcomeKind(hit)}">${outcomes.map(describeOutcome).join(", ")}</span
          >${times}</span
        >
      </p>
      <p class="quiet">
        ${hit.at === null ? t("time unknown") : moment(hit.at, now)} ·
        ${hit.program === null ? t("unknown agent") : outsideText(agentNames.of(hit.program), maxTitleLength)}
        · ${link(sessionLabel(hit), () => actions.post({ type: "openSession", id: hit.sessionId }))}
      </p>
    </div>
    ${canExcept && rule !== undefined ? allowButton(context, hit) : nothing}
    ${allowForm(context, hit)}${writtenException(context, hit, to)}
  </li>`;
}

/** A colour only accompanies words with the same meaning. */
function outcomeKind({ done }: GuardHit): string {
  return done === "asked" || done === "denied" ? "stopped" : done === "observed" ? "observed" : "told";
}

/** The time is beside it. */
function sessionLabel({ sessionId, title, folder }: GuardHit): unknown {
  if (title !== null && title.trim() !== "") return outside(title, maxTitleLength);
  const project = folder?.split(/[/\\]/u).findLast((part) => part !== "");
  return project === undefined
    ? html`${filled(t("Session {0}"), outside(sessionId.slice(-8), 8))}`
    : outside(project, maxTitleLength);
}
