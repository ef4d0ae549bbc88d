import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import type { GuardHit } from "../../engine/guard/guard-answers.ts";
import { link } from "../components/table/table-cells.ts";
import { outside, outsideText, outsideWithCode } from "../components/outside.ts";
import { agentNames } from "../components/page-agents.ts";
import { moment } from "../components/times.ts";
import { filled } from "../components/sentences.ts";
import { type RenderContext, rulesById } from "./guard-model.ts";
import { describeOutcome } from "./describe-guard.ts";
import { entriesOf, type Entry } from "./tallies.ts";
import { allowButton, allowForm, canExcept, writtenException } from "./allow.ts";

/** Maximum lengths of texts. Characters. */
const [maxExcerptLength, maxTitleLength, maxTextLength] = [160, 48, 400];
/** Entries shown at first. */
const maxShown = 8;

/**
 * Lists hits with their calls, and a button to prevent similar ones.
 * @param key names the list for Show All
 */
export function firedList(
  context: RenderContext,
  { hits, key, to }: { readonly hits: readonly GuardHit[]; readonly key: string; readonly to: string },
): TemplateResult {
  const entries = entriesOf(hits);
  const isWhole = context.tables.has(key) || entries.length <= maxShown + 1;
  const shown = isWhole ? entries : entries.slice(0, maxShown);
  return html`<ul class="fired">
      ${repeat(
        shown,
        ({ hit }) => hit.id,
        (entry) => item(context, entry, to),
      )}
    </ul>
    ${
      isWhole
        ? nothing
        : html`<button class="link" @click=${() => context.actions.toggleTable(key)}>
            ${t("Show all {0}", wholeNumber(entries.length))}
          </button>`
    }`;
}

function item(context: RenderContext, { hit, count }: Entry, to: string): TemplateResult {
  const { model, actions, now } = context;
  const rule = rulesById(model).get(hit.rule);
  const isOpen = model.kept.rule === hit.rule;
  const times = count === 1 ? nothing : html` · ${t("{0} times in a row", wholeNumber(count))}`;
  const shown = outside(hit.rule, maxTitleLength);
  const name = isOpen
    ? nothing
    : rule === undefined
      ? html`<strong>${shown}</strong>`
      : link(shown, () => actions.openRule(hit.rule));
  return html`<li>
    <div class="call">
      <code>${hit.excerpt === null ? t("unknown call") : outside(hit.excerpt, maxExcerptLength)}</code>
      ${
        rule === undefined || isOpen
          ? nothing
          : html`<p>${outsideWithCode(`${rule.message} ${rule.remedy}`, maxTextLength)}</p>`
      }
      <p class="quiet">
        ${name} <span class="deed deed-${outcomeKind(hit)}">${describeOutcome(hit)}</span>${times} ·
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

function sessionLabel({ sessionId, title }: GuardHit): unknown {
  return title === null || title.trim() === ""
    ? html`${filled(t("Session {0}"), outside(sessionId.slice(0, 8), 8))}`
    : outside(title, maxTitleLength);
}
