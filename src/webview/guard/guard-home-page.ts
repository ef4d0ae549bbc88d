import { characterScale, tokensOfCharacters } from "../../engine/base/format.ts";
import { inWords, plural, t } from "../../engine/base/language.ts";
import { html, nothing, type TemplateResult } from "lit";
import { estimatedNumber, wholeNumber } from "../../engine/base/local-format.ts";
import type { GuardView } from "../../engine/guard/answers.ts";
import { sum } from "../components/charts/series.ts";
import { filterSelect } from "../components/filter-select.ts";
import { icon } from "../components/icon.ts";
import { outside, outsideText } from "../components/outside.ts";
import "../components/section.ts";
import { banner } from "../components/states.ts";
import { link } from "../components/table/table-cells.ts";
import { callCount } from "../components/text/counts.ts";
import { filled } from "../components/text/sentences.ts";
import type { RenderContext } from "./guard-model.ts";
import {
  bytesText,
  describeException,
  familyNames,
  isFamily,
  literalOf,
  modeSentences,
  notes,
} from "./describe-guard.ts";
import { firedList } from "./fired-list.ts";
import { modeSection } from "./mode-table.ts";
import type { ViewMessage } from "./protocol.ts";
import { replaySection } from "./replay-section.ts";
import { ruleSection } from "./rule-table.ts";
import { savingsSection } from "./savings.ts";
import { savedBytes } from "./tallies.ts";

/** Characters. */
const [maxTextLength, maxProblemLength] = [300, 700];

/** Shows everything below the title. */
export function homePage(context: RenderContext, message: ViewMessage): TemplateResult {
  const { view } = message;
  return html`${fileProblem(context)}${totals(context, message)} ${savingsSection(context, message)}
  ${firedSection(context, message)} ${replaySection(context)} ${modeSection(context, view)}
  ${ruleSection(context, view)} ${fileSection(context, message)}`;
}

/** Shows the main figure, what calls it comes from, and what the mode means. */
function totals(context: RenderContext, message: ViewMessage): TemplateResult {
  const { days, view } = message;
  const { saved, would } = savedBytes(view);
  const scale = characterScale(view.charactersPerToken);
  const tokens = (bytes: number) => estimatedNumber(tokensOfCharacters(bytes, scale));
  const calls = sum(view.counts.map(({ count }) => count));
  const number = (text: string) => html`<span class="number">${text}</span>`;
  const figure =
    saved > 0
      ? filled(t("{0} tokens saved in {1} days"), number(`~${tokens(saved)}`), days)
      : would > 0
        ? filled(
            t("{0} tokens of output would have been saved in {1} days"),
            number(`~${tokens(would)}`),
            days,
          )
        : filled(
            plural(
              calls,
              t("{0} call on which a rule fired in {1} days"),
              t("{0} calls on which a rule fired in {1} days"),
            ),
            number(wholeNumber(calls)),
            days,
          );
  return html`<div class="totals">
      <p class="one">${figure}</p>
      <p class="quiet number">
        ${[...(saved + would > 0 ? [callCount(calls)] : []), ...outcomesOf(view)].join(" · ")}
      </p>
      ${
        saved > 0 && would > 0
          ? html`<p class="quiet number">${t("~{0} more would have been saved.", tokens(would))}</p>`
          : nothing
      }
    </div>
    ${modeNotice(context, message)}`;
}

/** The outcomes of calls, in a few words each. */
function outcomesOf({ counts }: GuardView): string[] {
  const countOf = (isCounted: (each: GuardView["counts"][number]) => boolean) =>
    sum(counts.filter(isCounted).map(({ count }) => count));
  const wouldAsk = countOf(({ done, action }) => done === "observed" && action !== "advise");
  const stopped = countOf(({ done }) => done === "asked" || done === "denied");
  const bytes = sum(counts.map((each) => each.savedBytes));
  return [
    ...(wouldAsk > 0 ? [t("{0} would have been asked about", wholeNumber(wouldAsk))] : []),
    ...(stopped > 0 ? [t("{0} asked about or denied", wholeNumber(stopped))] : []),
    ...(bytes > 0 ? [t("{0} less output", bytesText(bytes))] : []),
  ];
}

/** Names the mode behind the figures above, or the reason why there are none, with the usual next step. */
function modeNotice(
  { actions }: RenderContext,
  { view: { modes, counts }, hasHooks }: ViewMessage,
): TemplateResult | typeof nothing {
  if (!hasHooks && counts.length === 0 && modes.all !== "off")
    return html`<div class="banner info">
      ${icon("info")}
      <p>
        <strong>${t("Guard sees no calls yet.")}</strong>
        ${t("Hooks are not installed in any agent, and rules look at calls through them. A replay shows what they would have done.")}
      </p>
      <button class="button" @click=${() => actions.post({ type: "installHooks" })}>
        ${t("Install Hooks…")}
      </button>
    </div>`;
  const isPlain = Object.values(modes.families).every((mode) => mode === modes.all);
  if (modes.all === "on" || !isPlain) return nothing;
  const next = modes.all === "observe" ? "on" : "observe";
  return html`<div class="banner info">
    ${icon("info")}
    <p>
      <strong>${modes.all === "observe" ? t("Guard observes.") : t("Guard is off.")}</strong>
      ${modeSentences[modes.all]}
    </p>
    <button class="button" @click=${() => actions.setMode(null, next)}>
      ${next === "on" ? t("Turn On") : t("Observe")}
    </button>
  </div>`;
}

function firedSection(context: RenderContext, { to, view }: ViewMessage): TemplateResult {
  const { model, actions } = context;
  const { family } = model.kept;
  const present = Object.keys(familyNames)
    .filter(isFamily)
    .filter((each) => each === family || view.counts.some((count) => count.family === each));
  const hits = view.hits.filter((hit) => family === null || hit.family === family);
  const options = present.map((each) => ({ value: each, name: familyNames[each] }));
  const choose = (value: string | null) =>
    actions.filter({ family: value !== null && isFamily(value) ? value : null });
  return html`<purser-section heading=${t("Fired lately")} note=${notes.fired}>
    <div slot="actions">
      ${present.length > 1 ? filterSelect(t("Family"), family, options, choose) : nothing}
    </div>
    ${hits.length === 0 ? nothingFired(context) : firedList(context, { hits, key: "fired", to })}
  </purser-section>`;
}

function nothingFired({ actions, model }: RenderContext): TemplateResult {
  if (model.kept.family !== null)
    return html`<p class="quiet nothing">${t("No rule of this family is among the newest hits.")}</p>`;
  return html`<p class="quiet nothing">
      ${t("No rule fired in this time. Rules look at the calls of agents with purser's hooks.")}
    </p>
    ${link(t("Show Hooks Status"), () => actions.post({ type: "showHooks" }))}`;
}

/** Warns of a file that is not used. */
function fileProblem({ model, actions }: RenderContext): TemplateResult | typeof nothing {
  const { problem = null, file = "" } = model.rules?.book ?? {};
  if (problem === null) return nothing;
  const line = /^line (?<line>\d+):/u.exec(problem.text)?.groups?.["line"];
  return banner(
    outsideText(
      t("{0} is not used: {1}. The last good rules stay until it is fixed.", file, inWords(problem)),
      maxProblemLength,
    ),
    {
      label: t("Open Rules File"),
      run: () =>
        actions.post({ type: "openFile", whose: "user", line: line === undefined ? null : Number(line) }),
    },
  );
}

/** Lists the user's exceptions, and leads to the files. */
function fileSection(
  { model, actions }: RenderContext,
  { to }: ViewMessage,
): TemplateResult | typeof nothing {
  if (model.rules === null) return nothing;
  const { book, hasProject } = model.rules;
  return html`<purser-section heading=${t("Your rules and exceptions")} note=${notes.files}>
    ${
      book.exceptions.length === 0
        ? html`<p class="quiet nothing">
            ${filled(t("No exception is written in {0}."), outside(book.file, maxTextLength))}
          </p>`
        : html`<ul class="entries">
            ${book.exceptions.map(
              (exception) =>
                html`<li>
                  <p>
                    ${link(outside(exception.rule, maxTextLength), () => actions.openRule(exception.rule))}
                  </p>
                  <p class="quiet">
                    ${outside(describeException(exception, to), maxTextLength)}
                    ${exception.like === undefined ? nothing : html`<code>${outside(literalOf(exception.like), 120)}</code>`}
                  </p>
                </li>`,
            )}
          </ul>`
    }
    <p class="links">
      ${link(t("Open Your Rules File"), () => actions.post({ type: "openFile", whose: "user", line: null }))}
      ${
        hasProject
          ? link(t("Open This Project's Rules File"), () =>
              actions.post({ type: "openFile", whose: "project", line: null }),
            )
          : nothing
      }
    </p>
  </purser-section>`;
}
