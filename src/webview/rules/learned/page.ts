import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../../engine/base/text/format.ts";
import type { LearnedItem } from "../../../engine/continuity/answers/learn.ts";
import { plural } from "../../components/figures.ts";
import { outside, outsidePath } from "../../components/outside.ts";
import "../../components/section.ts";
import { moment } from "../../components/times.ts";
import type { RenderContext } from "../actions.ts";
import { headings, learnedNote, stateWords } from "./describe.ts";

/** Shows what was learned of a project from past sessions, each with what shows it and what can be done with it. */
export function learnedPage(context: RenderContext, project: string): TemplateResult {
  const items = context.model.learned.filter((item) => item.project === project);
  return html`<article aria-labelledby="project">
    <header class="top">
      <p class="quiet">Learned from past sessions</p>
      <h1 id="project" tabindex="-1">${outsidePath(project, project, 60)}</h1>
      <p>${learnedNote}</p>
    </header>
    ${headings.map(({ kind, heading, note }) => {
      const own = items.filter((item) => item.kind === kind);
      return own.length === 0
        ? nothing
        : html`<purser-section heading=${heading} note=${note}>
            <ul class="learned">
              ${own.map((item) => learned(context, item))}
            </ul>
          </purser-section>`;
    })}
  </article>`;
}

function learned(context: RenderContext, item: LearnedItem): TemplateResult {
  const { times, sessions, at, score, state, uses, helped } = item;
  return html`<li>
    <p>${outside(item.text, 400)}</p>
    <p class="quiet">
      ${state === "shown" ? nothing : html`${stateWords[state]} · `}${plural(times, "time", "times")} in
      ${plural(sessions, "session", "sessions")}${at === null ? nothing : html`, last ${moment(at, context.now)}`}
      · score
      ${score === null ? "unknown" : wholeNumber(score)}${
        uses === 0 ? nothing : html` · told ${plural(uses, "time", "times")}, helped ${wholeNumber(helped)}`
      }
    </p>
    <p class="quiet">
      Seen in
      ${item.evidence.map(
        ({ session, turns }, index) =>
          html`${index === 0 ? "" : ", "}<span title=${session}>${outside(session.slice(0, 8), 8)}</span>${
              turns.length === 0 ? "" : ` (${turns.length === 1 ? "prompt" : "prompts"} ${turns.join(", ")})`
            }`,
      )}
    </p>
    ${context.model.writing?.id === item.id ? editing(context, item) : buttons(context, item)}
  </li>`;
}

function buttons({ model, actions }: RenderContext, item: LearnedItem): TemplateResult {
  const { id, state } = item;
  const mark = (to: LearnedItem["state"]) => () =>
    actions.post({ type: "markLearned", id, state: to, text: null });
  const button = (label: string, run: () => void) =>
    html`<button
      class="button"
      aria-label="${label.replace("…", "")}: ${item.text.slice(0, 80)}"
      ?disabled=${model.isBusy}
      @click=${run}
    >
      ${label}
    </button>`;
  return html`<div class="buttons">
    ${state === "shown" ? button("Keep", mark("kept")) : button("Do Not Keep", mark("shown"))}
    ${button("Edit…", () => actions.writeLearned(item))} ${button("Forget", mark("forgotten"))}
    ${button("Make It a Rule…", () => actions.post({ type: "promoteLearned", id }))}
  </div>`;
}

/** Shows an input for other words. Enter submits it, Escape closes it. */
function editing({ model, actions }: RenderContext, { id }: LearnedItem): TemplateResult {
  const text = model.writing?.text ?? "";
  const send = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== "")
      actions.post({ type: "markLearned", id, state: "edited", text: text.trim().slice(0, 400) });
  };
  return html`<form class="writing" @submit=${send}>
    <label for="text">In your words, as agents may be told</label>
    <input
      id="text"
      type="text"
      maxlength="400"
      .value=${text}
      @input=${(event: InputEvent) => {
        if (event.target instanceof HTMLInputElement) actions.rewrite(event.target.value);
      }}
    />
    <button class="button primary" type="submit">Keep It So</button>
    <button class="button" type="button" @click=${() => actions.writeLearned(null)}>Cancel</button>
  </form>`;
}
