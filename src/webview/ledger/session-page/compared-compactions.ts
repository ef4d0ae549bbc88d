import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import { plural, t } from "../../../engine/base/language.ts";
import type { CompactionDiff, LostItem } from "../../../engine/ledger/ledger-answers.ts";
import { outside, outsideText } from "../../components/outside.ts";
import { moment } from "../../components/times.ts";
import type { RenderContext } from "../ledger-model.ts";
import { backWords, lostKindNames } from "../describe-ledger.ts";

/** Characters of a text that are shown; all of it is in the tooltip. */
const maxItemLength = 160;

/**
 * Shows what each compaction kept and lost side by side, the newest first. At first only one of them is open.
 */
export function compactionDiffs(
  context: RenderContext,
  diffs: readonly CompactionDiff[],
  session: string,
): TemplateResult {
  const { shownCompaction } = context.model;
  const open = diffs.find(({ id }) => id === shownCompaction) ?? diffs[0];
  return html`${diffs.map(
    (diff, index) =>
      html`<details class="compaction" id="compaction-${index}" ?open=${diff === open}>
        <summary>${title(diff, context.now)}</summary>
        ${columns(context, diff, session)}
      </details>`,
  )}`;
}

function title({ at, trigger, kept, lost }: CompactionDiff, now: number): TemplateResult {
  const back = lost.filter((item) => item.back !== null).length;
  const how = trigger === null ? nothing : html` (${outside(trigger, 30)})`;
  const when = at === null ? t("Compaction") : moment(at, now);
  const found =
    back === 0
      ? t("{0} kept, {1} lost", wholeNumber(kept.length), wholeNumber(lost.length))
      : t(
          "{0} kept, {1} lost, {2} put back",
          wholeNumber(kept.length),
          wholeNumber(lost.length),
          wholeNumber(back),
        );
  return html`<span class="number">${when}${how}: ${found}</span>`;
}

function columns(context: RenderContext, diff: CompactionDiff, session: string): TemplateResult {
  const { kept, lost } = diff;
  const left = lost.filter(({ back }) => back === null);
  const putBack = (items: readonly LostItem[]) =>
    context.actions.putBack(
      session,
      diff.id,
      items.map(({ id }) => id),
    );
  const all =
    left.length < 2
      ? nothing
      : html`<button class="button" @click=${() => putBack(left)}>
          ${t("Put Back All {0}", wholeNumber(left.length))}
        </button>`;
  return html`<div class="fates">
    <section aria-label=${t("Kept")}>
      <h3>${t("Kept")}</h3>
      ${kept.length === 0 ? html`<p class="quiet">${t("Nothing that was known before it.")}</p>` : list(kept, () => nothing)}
    </section>
    <section aria-label=${t("Lost")}>
      <header>
        <h3>${t("Lost")}</h3>
        ${all}
      </header>
      ${
        lost.length === 0
          ? html`<p class="quiet">
              ${plural(kept.length, t("Nothing: 1 thing is in the summary."), t("Nothing: {0} things are in the summary.", wholeNumber(kept.length)))}
            </p>`
          : list(lost, (item) => state(item, () => putBack([item])))
      }
    </section>
  </div>`;
}

function list<Item extends LostItem>(
  items: readonly Item[],
  more: (item: Item) => TemplateResult | typeof nothing,
): TemplateResult {
  return html`<ul>
    ${items.map(
      (item) =>
        html`<li>
          <span class="text"
            ><span class="quiet">${lostKindNames[item.kind]}</span> ${outside(item.text, maxItemLength)}</span
          >
          ${more(item)}
        </li>`,
    )}
  </ul>`;
}

function state({ back, text }: CompactionDiff["lost"][number], putBack: () => void): TemplateResult {
  if (back !== null) return html`<span class="quiet fate">${backWords[back]}</span>`;
  return html`<button
    class="link fate"
    aria-label=${t("Put Back: {0}", outsideText(text, maxItemLength))}
    @click=${putBack}
  >
    ${t("Put Back")}
  </button>`;
}
