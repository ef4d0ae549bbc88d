import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import type { LearnedItem } from "../../engine/continuity/learning-answers.ts";
import { outside, outsidePath } from "../components/outside.ts";
import "../components/section.ts";
import { moment } from "../components/times.ts";
import { filled } from "../components/sentences.ts";
import type { RenderContext } from "./page-model.ts";
import { projectOptions } from "../components/filter-select.ts";
import { headings, learnedNote, learnedProjects, stateWords } from "./describe-learned.ts";

/** Shows what was learned of a project from past sessions, each with what shows it and what can be done with it. */
export function learnedPage(context: RenderContext, project: string): TemplateResult {
  const items = context.model.learned.filter((item) => item.project === project);
  return html`<article aria-labelledby="project">
    <header class="top">
      <p class="quiet">${t("Learned from past sessions")}</p>
      <h1 id="project" tabindex="-1">${outsidePath(project, project, 60)}</h1>
      <p>${learnedNote}</p>
      ${otherProjects(context, project)}
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

/** Leads to what was learned of another project. Hidden if there is none. */
function otherProjects({ model, actions }: RenderContext, project: string): TemplateResult | typeof nothing {
  const all = learnedProjects(model);
  if (all.length < 2) return nothing;
  return html`<label class="filter"
    >${t("Project")}
    <select
      @change=${({ currentTarget }: Event) => {
        const chosen =
          currentTarget instanceof HTMLSelectElement ? all[currentTarget.selectedIndex] : undefined;
        if (chosen !== undefined) actions.look({ kind: "learned", project: chosen });
      }}
    >
      ${projectOptions(all, 60).map(
        ({ value, name }) => html`<option .selected=${value === project}>${name}</option>`,
      )}
    </select></label
  >`;
}

function learned(context: RenderContext, item: LearnedItem): TemplateResult {
  const { at, state, uses, helped } = item;
  return html`<li>
    <p>${withCode(item.text)}</p>
    <p class="quiet">
      ${state === "shown" ? nothing : html`${stateWords[state]} · `}${seenText(item)}${
        at === null ? nothing : html`, ${t("last {0}", moment(at, context.now))}`
      }${uses === 0 ? nothing : html` · ${useText(uses, helped)}`}
    </p>
    <p class="quiet">
      ${filled(
        t("Seen in {0}"),
        item.evidence.map(
          ({ session, turns }, index) =>
            html`${index === 0 ? "" : ", "}<span title=${session}>${outside(session.slice(0, 8), 8)}</span>${
                turns.length === 0 ? "" : ` (${promptsText(turns)})`
              }`,
        ),
      )}
    </p>
    ${context.model.writing?.id === item.id ? editing(context, item) : buttons(context, item)}
  </li>`;
}

/** Shows what stands between backticks as code: commands and files. */
function withCode(text: string): readonly (string | TemplateResult)[] {
  return text
    .split("`")
    .map((part, index, all) =>
      index % 2 === 1 && index < all.length - 1
        ? html`<code>${outside(part, 400)}</code>`
        : html`${index % 2 === 1 ? "`" : ""}${outside(part, 400)}`,
    );
}

/** `3 times in 2 sessions` */
function seenText({ times, sessions }: LearnedItem): string {
  const count = plural(times, t("1 time"), t("{0} times", wholeNumber(times)));
  return plural(
    sessions,
    t("{0} in 1 session", count),
    t("{0} in {1} sessions", count, wholeNumber(sessions)),
  );
}

function useText(uses: number, helped: number): string {
  return plural(
    uses,
    t("reported 1 time, helped {0}", wholeNumber(helped)),
    t("reported {0} times, helped {1}", wholeNumber(uses), wholeNumber(helped)),
  );
}

function promptsText(turns: readonly number[]): string {
  return plural(turns.length, t("prompt {0}", turns.join(", ")), t("prompts {0}", turns.join(", ")));
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
    ${state === "shown" ? button(t("Keep"), mark("kept")) : button(t("Do Not Keep"), mark("shown"))}
    ${button(t("Edit…"), () => actions.writeLearned(item))} ${button(t("Forget"), mark("forgotten"))}
    ${button(t("Make It a Rule…"), () => actions.post({ type: "promoteLearned", id }))}
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
    <label for="text">${t("In your words, as agents may read it")}</label>
    <input
      id="text"
      type="text"
      maxlength="400"
      .value=${text}
      @input=${(event: InputEvent) => {
        if (event.target instanceof HTMLInputElement) actions.rewrite(event.target.value);
      }}
    />
    <button class="button primary" type="submit">${t("Keep It So")}</button>
    <button class="button" type="button" @click=${() => actions.writeLearned(null)}>${t("Cancel")}</button>
  </form>`;
}
