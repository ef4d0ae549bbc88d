import { inWords, plural, t } from "../../engine/base/language.ts";
import { html, nothing, type TemplateResult } from "lit";
import { estimatedNumber, wholeNumber, shortNumber } from "../../engine/base/local-format.ts";
import {
  countNotJudged,
  describeNotJudged,
  isNotJudged,
  type GuardView,
} from "../../engine/guard/guard-answers.ts";
import { sum, largestSeries } from "../components/charts/series.ts";
import { chip, filterSelect } from "../components/filter-select.ts";
import { outside, outsideText, outsideWithCode } from "../components/outside.ts";
import "../components/section.ts";
import { banner, notice } from "../components/states.ts";
import { link } from "../components/table/table-cells.ts";
import { callCount, filled } from "../components/sentences.ts";
import type { RenderContext } from "./guard-model.ts";
import {
  bytesText,
  describeException,
  familyNames,
  isFamily,
  literalOf,
  modeSentences,
  notes,
  nameOf,
  recordings,
  savingsNote,
} from "./describe-guard.ts";
import { firedList } from "./fired-list.ts";
import { netFigure, netSection } from "./net-section.ts";
import { modeSection } from "./mode-table.ts";
import type { ViewMessage } from "./guard-protocol.ts";
import { replaySection } from "./replay-section.ts";
import { ruleSection } from "./rule-table.ts";
import { trialSection } from "./trial-section.ts";
import { turnOnForm } from "./turn-on.ts";
import { leftOutTokens, daysBetween, savingsByFamily } from "./tallies.ts";
import "../components/charts/bar.ts";
import { tableToggle } from "../components/table/table.ts";
import { dayDate, dayOf, longDay, moment, shortDay } from "../components/times.ts";

/** Characters. */
const [maxTextLength, maxProblemLength] = [300, 700];

/** Shows everything below the title. */
export function homePage(context: RenderContext, message: ViewMessage): TemplateResult {
  const { view } = message;
  return html`${fileProblem(context)}${totals(context, message)} ${netSection(context, view)}
  ${trialSection(context, message)} ${savingsSection(context, message)} ${firedSection(context, message)}
  ${replaySection(context)} ${modeSection(context, view)} ${ruleSection(context, view)}
  ${fileSection(context, message)}`;
}

/** Shows the main figure, what calls it comes from, and what the mode means. */
function totals(context: RenderContext, message: ViewMessage): TemplateResult {
  const { days, view } = message;
  const { leftOut, would } = leftOutTokens(view);
  const calls = sum(view.counts.filter((each) => !isNotJudged(each)).map(({ count }) => count));
  const number = (text: string) => html`<span class="number">${text}</span>`;
  const figure =
    leftOut > 0
      ? filled(t("{0} tokens left out of outputs in {1} days"), number(`~${estimatedNumber(leftOut)}`), days)
      : would > 0
        ? filled(
            t("{0} tokens could have been left out of outputs in {1} days"),
            number(`~${estimatedNumber(would)}`),
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
      ${netFigure(view, days) ?? html`<p class="one">${figure}</p>`}
      <p class="quiet number">
        ${[...(leftOut + would > 0 ? [callCount(calls)] : []), ...outcomesOf(view)].join(" · ")}
      </p>
      ${
        leftOut > 0 && would > 0
          ? html`<p class="quiet number">
              ${t("~{0} tokens more could have been left out of outputs.", estimatedNumber(would))}
            </p>`
          : nothing
      }
    </div>
    ${modeNotice(context, message)}${notJudgedNotice(view)}`;
}

/** Calls that passed the rules unseen, or were stopped for that. They are listed with the warnings. */
function notJudgedNotice({ counts, hits }: GuardView): TemplateResult | typeof nothing {
  const { calls, ran } = countNotJudged(counts);
  if (calls === 0) return nothing;
  const newest = hits.find(isNotJudged);
  const passed =
    ran === 0
      ? t("Each was asked about or denied.")
      : plural(
          ran,
          t("1 ran. Required families let none pass."),
          t("{0} ran. Required families let none pass.", wholeNumber(ran)),
        );
  return notice(
    html`<strong
        >${plural(calls, t("Not judged: 1 call."), t("Not judged: {0} calls.", wholeNumber(calls)))}</strong
      >
      ${passed}
      ${newest === undefined ? nothing : outsideWithCode(describeNotJudged(newest.rule), maxTextLength)}`,
    [],
    { iconName: "warning" },
  );
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
function modeNotice(context: RenderContext, message: ViewMessage): TemplateResult | typeof nothing {
  const { actions, model, now } = context;
  const { modes, counts } = message.view;
  const { hasHooks, onSince } = message;
  const isOff = [modes.all, ...Object.values(modes.families)].every((mode) => mode === "off");
  if (!hasHooks && !isOff)
    return notice(
      html`<strong
          >${
            counts.length === 0
              ? t("Guard sees nothing yet: no agent has purser's hooks.")
              : t("Guard sees nothing now: no agent has purser's hooks. These figures are older.")
          }</strong
        >
        ${t("A replay shows what it would have done in your past sessions.")}`,
      [
        { label: t("Install Hooks…"), run: () => actions.post({ type: "installHooks" }) },
        { label: t("Replay Past Sessions"), run: () => actions.replay() },
      ],
      { isBusy: model.isBusy },
    );
  const isPlain = Object.values(modes.families).every((mode) => mode === modes.all);
  if (modes.all === "on") {
    const state = onSince === null ? t("Guard is on") : t("Guard is on · since {0}", moment(onSince, now));
    const rest = Object.keys(familyNames).filter(
      (family) => isFamily(family) && ["off", "observe"].includes(modes.families[family] ?? "on"),
    );
    return notice(
      html`<strong>${state}</strong>
        ${rest.length === 0 ? nothing : t("Without {0}.", rest.map(nameOf).join(", "))}`,
      [{ label: t("Watch Only"), run: () => actions.setMode(null, "observe") }],
      { isBusy: model.isBusy, iconName: "check" },
    );
  }
  if (!isPlain) return nothing;
  if (model.isTurningOn && modes.all === "observe") return turnOnForm(context, message);
  return notice(
    modes.all === "observe"
      ? html`<strong>${t("Watching only. Nothing is blocked.")}</strong>`
      : html`<strong>${t("Guard is off.")}</strong> ${modeSentences.off}`,
    [
      modes.all === "observe"
        ? { label: t("Turn On…"), run: () => actions.askFamilies(true) }
        : { label: t("Watch Only"), run: () => actions.setMode(null, "observe") },
    ],
    { isBusy: model.isBusy },
  );
}

function firedSection(context: RenderContext, { to, view }: ViewMessage): TemplateResult {
  const { model, actions } = context;
  const { family, day } = model.kept;
  const present = Object.keys(familyNames)
    .filter(isFamily)
    .filter((each) => each === family || view.counts.some((count) => count.family === each));
  const hits = view.hits.filter(
    (hit) =>
      (family === null || hit.family === family) &&
      (day === null || (hit.at !== null && dayOf(hit.at) === day)),
  );
  const options = present.map((each) => ({ value: each, name: familyNames[each] }));
  const choose = (value: string | null) =>
    actions.filter({ family: value !== null && isFamily(value) ? value : null });
  return html`<purser-section heading=${t("Recent warnings")} note=${notes.fired}>
    <div slot="actions">
      ${day === null ? nothing : chip(longDay(dayDate(day)), () => actions.filter({ day: null }))}
      ${present.length > 1 ? filterSelect(t("Family"), family, options, choose) : nothing}
    </div>
    ${hits.length === 0 ? nothingFired(context) : firedList(context, { hits, key: "fired", to })}
  </purser-section>`;
}

function nothingFired({ actions, model }: RenderContext): TemplateResult {
  if (model.kept.day !== null)
    return html`<p class="quiet nothing">${t("No warning of this day is among the newest.")}</p>`;
  if (model.kept.family !== null)
    return html`<p class="quiet nothing">${t("No warning of this family is among the newest.")}</p>`;
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

/** Shows what is left out of outputs by family and day. */
function savingsSection(context: RenderContext, { from, to, view }: ViewMessage): TemplateResult {
  const days = daysBetween(from, to);
  const savings = savingsByFamily(view, days);
  const isMixed = new Set(savings.map(({ isObserved }) => isObserved)).size > 1;
  const { series, values } = largestSeries(
    savings.map(({ family, isObserved, values: own }) => ({
      name: !isMixed
        ? nameOf(family)
        : isObserved
          ? t("{0}, observed", nameOf(family))
          : t("{0}, left out", nameOf(family)),
      values: own,
    })),
    (count) => t("{0} others", count),
  );
  const label = t("Tokens left out of outputs by family and day, estimated");
  const isTable = context.tables.has("savings");
  const note = savingsNote(view.scale);
  const columns = days.map((day, index) => ({
    name: longDay(dayDate(day)),
    tick: shortDay(dayDate(day)),
    values: values.map((one) => one[index] ?? 0),
  }));
  const [first = from] = days;
  if (series.length === 0)
    return html`<purser-section heading=${t("Left out of outputs by day")} note=${note}>
      <p class="quiet nothing">
        ${t("No output in this time could have been made smaller. Such outputs appear here by family and day, once an agent with purser's hooks runs commands with long outputs.")}
      </p>
    </purser-section>`;
  return html`<purser-section heading=${t("Left out of outputs by day")} note=${note}>
    <div slot="actions">${tableToggle(isTable, label, () => context.actions.toggleTable("savings"))}</div>
    <purser-bar-chart
      label=${label}
      columnHeading=${t("Day")}
      pickHint=${t("Enter shows only this.")}
      @pick=${({ detail }: CustomEvent<number>) => context.actions.filter({ day: days[detail] ?? null })}
      .series=${series}
      .columns=${columns}
      .summary=${{
        name: `${longDay(dayDate(first))} – ${longDay(dayDate(to))}`,
        values: values.map(sum),
      }}
      .format=${(value: number) => `~${estimatedNumber(value)}`}
      .axisFormat=${shortNumber}
      ?isTable=${isTable}
      isNewestFirst
    ></purser-bar-chart>
    <p class="quiet nothing">${describeKind(view)} ${recordings}</p>
  </purser-section>`;
}

/** Says whether tokens were left out, or could have been. */
function describeKind(view: GuardView): string {
  const { leftOut, would } = leftOutTokens(view);
  if (would === 0) return t("Left out: agents were sent smaller outputs.");
  if (leftOut === 0) return t("Observed: agents were sent their outputs whole.");
  return t("Left out, where agents were sent smaller outputs; observed, where they were sent them whole.");
}
