import { html, nothing, type TemplateResult } from "lit";
import { dollars, shortNumber, wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import type { GuardFamily, GuardReplay } from "../../engine/guard/guard-answers.ts";
import { unknown } from "../components/figures.ts";
import { filterSelect, spanSelect } from "../components/filter-select.ts";
import { icon } from "../components/icon.ts";
import { outside, said, outsideText } from "../components/outside.ts";
import "../components/section.ts";
import { banner } from "../components/states.ts";
import {
  estimateCell,
  link,
  longestName,
  numberCell,
  textCell,
  column,
  extra,
  numberColumn,
} from "../components/table/table-cells.ts";
import { dataTable } from "../components/table/table.ts";
import type { Cell } from "../components/table/table-rows.ts";
import { longDay, moment } from "../components/times.ts";
import { sessionCount, filled, inSentence } from "../components/sentences.ts";
import { type RenderContext, rulesById } from "./guard-model.ts";
import { describeWould, familyNames, isFamily, nameOf, notes } from "./describe-guard.ts";
import type { ReplayState } from "./guard-protocol.ts";

/** Characters. */
const [maxCallLength, maxTextLength, maxProblemLength] = [120, 300, 500];
/** Calls of one rule that are shown. */
const maxCalls = 2;

type Done = Extract<ReplayState, { kind: "done" }>;

/** Plays the user's own sessions to today's rules, and shows what rules would have done. */
export function replaySection(context: RenderContext): TemplateResult {
  const { model, actions } = context;
  const state = model.replay;
  const isPlaying = state?.kind === "playing";
  const { days, family } = model.kept.replay;
  const options = Object.keys(familyNames)
    .filter(isFamily)
    .map((each) => ({ value: each, name: familyNames[each] }));
  return html`<purser-section id="replay" heading=${t("Replay")} note=${notes.replay}>
    <p class="prose">
      ${t("Plays your own sessions of the last {0} days to today's rules. Runs nothing, asks no model, writes nothing.", days)}
    </p>
    <div class="choices">
      ${spanSelect(t("Sessions of the last"), days, (chosen) => actions.chooseReplay({ days: chosen }))}
      ${filterSelect(t("Rules of"), family, options, (chosen) =>
        actions.chooseReplay({ family: chosen !== null && isFamily(chosen) ? chosen : null }),
      )}
      <button
        class="button ${isPlaying ? "" : "primary"}"
        @click=${({ detail }: MouseEvent) => {
          // The button changes under the pointer: the second click of two does not undo the first.
          if (detail <= 1)
            actions.post(isPlaying ? { type: "cancelPlay" } : { type: "play", asked: { days, family } });
        }}
      >
        ${icon(isPlaying ? "close" : "play")}${isPlaying ? t("Cancel") : t("Replay")}
      </button>
    </div>
    ${state === null ? nothing : stateView(context, state)}
  </purser-section>`;
}

function stateView(context: RenderContext, state: ReplayState): TemplateResult {
  switch (state.kind) {
    case "playing":
      return progress(state.far);
    case "failed":
      return banner(outsideText(state.message, maxProblemLength), {
        label: t("Show Log"),
        run: () => context.actions.showLog(),
      });
    case "done":
      return result(context, state);
  }
}

function progress(far: Extract<ReplayState, { kind: "playing" }>["far"]): TemplateResult {
  if (far === null) return html`<p class="quiet nothing">${t("Looks for your sessions…")}</p>`;
  const read = plural(
    far.of,
    t("{0} of 1 file read", wholeNumber(far.files)),
    t("{0} of {1} files read", wholeNumber(far.files), wholeNumber(far.of)),
  );
  return html`<p class="quiet number nothing">${read}</p>
    <progress max=${Math.max(1, far.of)} .value=${far.files} aria-label=${read}></progress>`;
}

function result(context: RenderContext, { asked, replay }: Done): TemplateResult {
  const { calls, rules, leftOut, files } = replay;
  const since = longDay(new Date(replay.since));
  if (calls === 0)
    return html`<p class="nothing">${t("No session since {0} has a tool call that can be judged.", since)}</p>
      <p class="quiet">
        ${t("Sessions of Claude Code, Codex, Copilot CLI and Gemini CLI count. Choose a longer time, or come back once an agent has worked here.")}
      </p>
      ${leftOut.files === 0 ? nothing : html`<p class="quiet">${unreadText(leftOut.files, files)}</p>`}`;
  return html`<p class="nothing number">${describeJudged(replay, asked.family, since)}</p>
    ${rules.length === 0 ? html`<p class="quiet nothing">${t("No rule would have fired.")}</p>` : ruleTable(context, rules)}
    ${outputs(replay.outputs)}
    <p class="quiet prose">${leftOutText(replay)}</p>
    <p class="quiet prose">
      ${filled(
        t(
          "The benchmark's scripted recordings cannot show what guards save in real work, nor can a replay tell what an agent would have done next. {0} measures that.",
        ),
        html`<code>purser compare setting guard=on</code>`,
      )}
    </p>`;
}

function describeJudged({ calls, sessions }: GuardReplay, family: GuardFamily | null, since: string): string {
  const judged = plural(calls, t("1 tool call"), t("{0} tool calls", wholeNumber(calls)));
  const from = sessionCount(sessions);
  return family === null
    ? t("{0} of {1} since {2}, judged by today's rules.", judged, from, since)
    : t(
        "{0} of {1} since {2}, judged by today's rules, by rules of the family {3}.",
        judged,
        from,
        since,
        inSentence(familyNames[family]),
      );
}

function ruleTable({ model, actions, now }: RenderContext, rules: GuardReplay["rules"]): TemplateResult {
  const known = rulesById(model);
  const rows = rules.map(({ rule, family, action, count, sessions, newest }) => ({
    key: rule,
    cells: [
      {
        content: () =>
          html`${
            known.has(rule)
              ? link(outside(rule, longestName), () => actions.openRule(rule))
              : outside(rule, longestName)
          }
          ${newest
            .slice(0, maxCalls)
            .map(
              ({ at, excerpt }) =>
                html`<span class="quiet about"
                  >${at === null ? nothing : html`${moment(at, now)} · `}${outside(excerpt, maxCallLength)}</span
                >`,
            )}`,
        sort: rule,
      },
      textCell(nameOf(family)),
      textCell(describeWould(action)),
      numberCell(count),
      numberCell(sessions),
    ],
  }));
  const headings = [
    column(t("Rule"), t("With the newest calls that it fires on")),
    extra(column(t("Family"))),
    column(t("Would"), t("What it does where its family is on")),
    numberColumn(t("Calls")),
    extra(numberColumn(t("Sessions"))),
  ];
  return dataTable({ label: t("Rules that would have fired"), headings, rows, most: 8 });
}

function outputs({ total, byRule, how }: GuardReplay["outputs"]): TemplateResult {
  if (total.outputs === 0)
    return html`<p class="quiet nothing">${t("No output would have been made smaller.")}</p>`;
  const rows = byRule.map(({ rule, outputs: count, written, read, usd, unpriced }) => ({
    key: rule,
    cells: [
      textCell(rule),
      numberCell(count),
      estimateCell(written),
      estimateCell(read),
      priceCell(usd, unpriced),
    ],
  }));
  const headings = [
    column(t("Smaller outputs")),
    extra(numberColumn(t("Outputs"))),
    numberColumn(t("Not written"), t("Tokens that the context would have had less")),
    numberColumn(
      t("Not read again"),
      t("The same tokens, once for each later call until the next compaction"),
    ),
    extra(numberColumn(t("List price"), t("Of both, where the model's price is known"))),
  ];
  return html`<p class="nothing number">
      ${filled(
        plural(
          total.outputs,
          t(
            "{0} tokens of {1} output would not have been written to the context, and {2} not read again by later calls: {3}.",
          ),
          t(
            "{0} tokens of {1} outputs would not have been written to the context, and {2} not read again by later calls: {3}.",
          ),
        ),
        html`<strong>~${shortNumber(total.written)}</strong>`,
        wholeNumber(total.outputs),
        html`<strong>~${shortNumber(total.read)}</strong>`,
        priceText(total),
      )}
    </p>
    ${dataTable({ label: t("Smaller outputs"), headings, rows, most: 6 })}
    <p class="quiet prose">
      ${filled(
        t(
          "Tokens are {0}. An output is written to the context once, and read again by each later call until the next compaction.",
        ),
        said(how, maxTextLength),
      )}
    </p>`;
}

function priceCell(usd: number | null, unpriced: number): Cell {
  return {
    content: () => (usd === null ? unknown : `${unpriced > 0 ? "≥ " : ""}${dollars(usd)}`),
    sort: usd,
  };
}

function priceText({ usd, unpriced }: GuardReplay["outputs"]["total"]): string {
  if (usd === null) return t("the list price is unknown");
  if (unpriced === 0) return t("{0} at list price", dollars(usd));
  return plural(
    unpriced,
    t("{0} at list price, without 1 output of models without a known price", dollars(usd)),
    t(
      "{0} at list price, without {1} outputs of models without a known price",
      dollars(usd),
      wholeNumber(unpriced),
    ),
  );
}

function leftOutText({ leftOut, files }: GuardReplay): string {
  const parts = [
    ...(leftOut.files === 0 ? [] : [unreadText(leftOut.files, files)]),
    ...(leftOut.families.length === 0
      ? []
      : [
          t(
            "rules of the family {0}, which depend on what was on disk then",
            leftOut.families
              .map(nameOf)
              .map((name) => outsideText(name, longestName))
              .join(", "),
          ),
        ]),
    t("chats of VS Code itself, which keep no outputs"),
  ];
  return t("Left out: {0}.", parts.join("; "));
}

function unreadText(unread: number, files: number): string {
  return plural(
    files,
    t("{0} of 1 file, which cannot be read", wholeNumber(unread)),
    t("{0} of {1} files, which cannot be read", wholeNumber(unread), wholeNumber(files)),
  );
}
