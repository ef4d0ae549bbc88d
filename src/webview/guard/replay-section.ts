import { html, nothing, type TemplateResult } from "lit";
import { dollars, shortNumber, wholeNumber } from "../../engine/base/text/format.ts";
import type { GuardReplay } from "../../engine/guard/answers.ts";
import { plural, unknown } from "../components/figures.ts";
import { filterSelect } from "../components/filter-select.ts";
import { icon } from "../components/icon.ts";
import { outside, outsideText } from "../components/outside.ts";
import "../components/section.ts";
import { banner } from "../components/states.ts";
import { estimateCell, link, longestName, numberCell, textCell } from "../components/table/cells.ts";
import "../components/table/table.ts";
import type { Cell } from "../components/table/rows.ts";
import { longDay, moment } from "../components/times.ts";
import type { RenderContext } from "./actions.ts";
import { describeWould, familyNames, isFamily, nameOf, notes, spanNames } from "./describe.ts";
import { rulesById } from "./model.ts";
import type { ReplayState } from "./protocol.ts";
import { spanSelect } from "./titles.ts";

/** Characters. */
const [longestCall, longestText, longestProblem] = [120, 300, 500];
/** Calls of one rule that are shown. */
const mostCalls = 2;

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
  return html`<purser-section id="replay" heading="Replay" note=${notes.replay}>
    <p class="prose">
      Plays your own sessions of the last ${spanNames[days]} to today's rules. Runs nothing, asks no model,
      writes nothing.
    </p>
    <div class="choices">
      ${spanSelect("Sessions of the last", days, (chosen) => actions.chooseReplay({ days: chosen }))}
      ${filterSelect("Rules of", family, options, (chosen) =>
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
        ${icon(isPlaying ? "close" : "play")}${isPlaying ? "Cancel" : "Replay"}
      </button>
    </div>
    ${state === null ? nothing : standing(context, state)}
  </purser-section>`;
}

function standing(context: RenderContext, state: ReplayState): TemplateResult {
  switch (state.kind) {
    case "playing":
      return progress(state.far);
    case "failed":
      return banner(outsideText(state.message, longestProblem), {
        label: "Show Log",
        run: () => context.actions.showLog(),
      });
    case "done":
      return result(context, state);
  }
}

function progress(far: Extract<ReplayState, { kind: "playing" }>["far"]): TemplateResult {
  if (far === null) return html`<p class="quiet nothing">Looks for your sessions…</p>`;
  const read = `${wholeNumber(far.files)} of ${plural(far.of, "file", "files")} read`;
  return html`<p class="quiet number nothing">${read}</p>
    <progress max=${Math.max(1, far.of)} .value=${far.files} aria-label=${read}></progress>`;
}

function result(context: RenderContext, { asked, replay }: Done): TemplateResult {
  const { calls, sessions, rules, leftOut, files } = replay;
  const since = longDay(new Date(replay.since));
  if (calls === 0)
    return html`<p class="nothing">No session since ${since} has a tool call that can be judged.</p>
      <p class="quiet">
        Sessions of Claude Code, Codex, Copilot CLI and Gemini CLI count. Choose a longer time, or come back
        once an agent has worked here.
      </p>
      ${leftOut.files === 0 ? nothing : html`<p class="quiet">${unreadText(leftOut.files, files)}</p>`}`;
  const of =
    asked.family === null ? "" : `, by rules of the family ${familyNames[asked.family].toLowerCase()}`;
  return html`<p class="nothing number">
      ${plural(calls, "tool call", "tool calls")} of ${plural(sessions, "session", "sessions")} since
      ${since}, judged by today's rules${of}.
    </p>
    ${rules.length === 0 ? html`<p class="quiet nothing">No rule would have fired.</p>` : ruleTable(context, rules)}
    ${outputs(replay.outputs)}
    <p class="quiet prose">${leftOutText(replay)}</p>
    <p class="quiet prose">
      The benchmark's scripted recordings cannot show what guards save in real work, nor can a replay tell
      what an agent would have done next. <code>purser compare setting guard=on</code> measures that.
    </p>`;
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
            .slice(0, mostCalls)
            .map(
              ({ at, excerpt }) =>
                html`<span class="quiet about"
                  >${at === null ? nothing : html`${moment(at, now)} · `}${outside(excerpt, longestCall)}</span
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
    { text: "Rule", title: "With the newest calls that it fires on" },
    { text: "Family", isExtra: true },
    { text: "Would", title: "What it does where its family is on" },
    { text: "Calls", isNumber: true },
    { text: "Sessions", isNumber: true, isExtra: true },
  ];
  return html`<purser-table
    label="Rules that would have fired"
    .headings=${headings}
    .rows=${rows}
    most="8"
  ></purser-table>`;
}

function outputs({ total, byRule, how }: GuardReplay["outputs"]): TemplateResult {
  if (total.outputs === 0) return html`<p class="quiet nothing">No output would have been made smaller.</p>`;
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
    { text: "Smaller outputs" },
    { text: "Outputs", isNumber: true, isExtra: true },
    { text: "Not written", isNumber: true, title: "Tokens that the context would have had less" },
    {
      text: "Not read again",
      isNumber: true,
      title: "The same tokens, once for each later call until the next compaction",
    },
    { text: "List price", isNumber: true, isExtra: true, title: "Of both, where the model's price is known" },
  ];
  return html`<p class="nothing number">
      <strong>~${shortNumber(total.written)}</strong> tokens of ${plural(total.outputs, "output", "outputs")}
      would not have been written to the context, and <strong>~${shortNumber(total.read)}</strong> not read
      again by later calls: ${priceText(total)}.
    </p>
    <purser-table label="Smaller outputs" .headings=${headings} .rows=${rows} most="6"></purser-table>
    <p class="quiet prose">
      Tokens are ${outside(how, longestText)}. An output is written to the context once, and read again by
      each later call until the next compaction.
    </p>`;
}

function priceCell(usd: number | null, unpriced: number): Cell {
  return {
    content: () => (usd === null ? unknown : `${unpriced > 0 ? "≥ " : ""}${dollars(usd)}`),
    sort: usd,
  };
}

function priceText({ usd, unpriced }: GuardReplay["outputs"]["total"]): string {
  if (usd === null) return "the list price is unknown";
  const rest =
    unpriced === 0
      ? ""
      : `, without ${plural(unpriced, "output", "outputs")} of models without a known price`;
  return `${dollars(usd)} at list price${rest}`;
}

function leftOutText({ leftOut, files }: GuardReplay): string {
  const parts = [
    ...(leftOut.files === 0 ? [] : [unreadText(leftOut.files, files)]),
    ...(leftOut.families.length === 0
      ? []
      : [
          `rules of the family ${leftOut.families
            .map(nameOf)
            .map((name) => outsideText(name, longestName))
            .join(", ")}, which depend on what was on disk then`,
        ]),
    "chats of VS Code itself, which keep no outputs",
  ];
  return `Left out: ${parts.join("; ")}.`;
}

function unreadText(unread: number, files: number): string {
  return `${wholeNumber(unread)} of ${plural(files, "file", "files")}, which cannot be read`;
}
