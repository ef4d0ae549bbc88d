import { html, nothing, type TemplateResult } from "lit";
import { aboutDollars, percent, shortNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import { t } from "../../../engine/base/language.ts";
import { cardParts, type CardPart } from "../../../engine/continuity/continuity-answers.ts";
import { icon } from "../../components/icon.ts";
import { outside, outsidePath, outsideText } from "../../components/outside.ts";
import { filled } from "../../components/sentences.ts";
import { banner, notice } from "../../components/states.ts";
import { link } from "../../components/table/table-cells.ts";
import "../../components/section.ts";
import { backWords, lostKindNames } from "../describe-ledger.ts";
import { editedParts, type RenderContext } from "../ledger-model.ts";
import type { RelayCard } from "../ledger-protocol.ts";

/** Characters of a fact that are shown; all of it is in the tooltip. */
const maxItemLength = 160;
/** Characters. */
const maxFolderLength = 60;
const maxNameLength = 60;

const titles: Readonly<Record<CardPart, string>> = {
  goal: t("Goal"),
  done: t("Done"),
  decisions: t("Open decisions"),
  files: t("Files"),
  next: t("Next step"),
};

/** Hands the session over: first a form, then what became of it. Nothing without a card for the session. */
export function relayCard(context: RenderContext): TemplateResult | typeof nothing {
  const { card, kept } = context.model;
  if (card === null || card.sessionId !== kept.sessionId) return nothing;
  return card.state === "taken" ? afterwards(context, card) : form(context, card);
}

function form({ model, actions }: RenderContext, card: RelayCard): TemplateResult {
  const { agents, agent, problem, changed, isWorking, done } = card;
  const isStarting = card.state === "starting";
  const edited = editedParts(model) ?? card.parts;
  const chosen =
    agents.find(({ word }) => word === model.chosenAgent) ?? agents.find(({ word }) => word === agent);
  return html`<purser-section heading=${t("Hand over to a new session")} note=${note}>
    <form
      class="form relay"
      @submit=${(event: Event) => {
        event.preventDefault();
        if (chosen !== undefined && !isStarting) actions.startCard(chosen.word);
      }}
    >
      <p class="quiet">${what(card)}</p>
      ${problem === null ? nothing : banner(problem, null)}
      ${isWorking ? notice(t("The old session is in the middle of a turn. Stop it first, or both change the same files."), [], { iconName: "warning" }) : nothing}
      ${changed === "" ? nothing : notice(t("Since this was written: {0}.", changed), [], { iconName: "warning" })}
      ${cardParts.map(
        (part) =>
          html`<label
            ><span>${titles[part]}</span
            ><textarea
              name=${part}
              ?readonly=${isStarting}
              .value=${edited[part]}
              @input=${(event: Event) => {
                if (event.target instanceof HTMLTextAreaElement) actions.editCard(part, event.target.value);
              }}
            ></textarea>
          </label>`,
      )}
      ${agents.length === 0 ? notice(t("No agent is installed that could start here. Copy the text into any other.")) : nothing}
      ${done === null ? nothing : html`<p class="quiet" role="status">${done}</p>`}
      <div class="buttons">
        ${startButtons(card, chosen?.word, actions)}
        <button type="button" class="button" ?disabled=${isStarting} @click=${() => actions.openCard()}>
          ${icon("file")}${t("Edit as File")}
        </button>
        <button type="button" class="button" @click=${() => actions.closeCard()}>
          ${isStarting ? t("Close") : t("Cancel")}
        </button>
      </div>
    </form>
  </purser-section>`;
}

const note = t(
  "Purser made this from the session's record, without a model. The agent gets it as its first prompt, with more from the record below it. Lines of a part that you empty are left out.",
);

/** What starts where, and what it is instead of. */
function what({ tokens, carried, here, fresh, folder }: RelayCard): unknown {
  const place = folder === null ? t("its folder") : outsidePath(folder, folder, maxFolderLength);
  const size =
    tokens === null
      ? ""
      : carried === null
        ? t("It has about {0} tokens.", shortNumber(tokens))
        : t(
            "It has about {0} tokens; the old session's next call has {1}.",
            shortNumber(tokens),
            shortNumber(carried),
          );
  const price =
    here === null || fresh === null
      ? ""
      : t("10 more turns: {0} here, {1} in a new session.", aboutDollars(here), aboutDollars(fresh));
  return html`${filled(t("A new session starts with this text in {0}."), place)} ${size} ${price}`;
}

function startButtons(
  { agents, state }: RelayCard,
  chosen: string | undefined,
  actions: RenderContext["actions"],
): TemplateResult {
  if (chosen === undefined)
    return html`<button type="button" class="button primary" @click=${() => actions.copyCard()}>
      ${t("Copy Text")}
    </button>`;
  const isStarting = state === "starting";
  const name = agents.find(({ word }) => word === chosen)?.name ?? chosen;
  const choice =
    agents.length < 2
      ? nothing
      : html`<select
          aria-label=${t("Agent")}
          ?disabled=${isStarting}
          @change=${(event: Event) => {
            if (event.target instanceof HTMLSelectElement) actions.chooseAgent(event.target.value);
          }}
        >
          ${agents.map((each) => html`<option value=${each.word} ?selected=${each.word === chosen}>${each.name}</option>`)}
        </select>`;
  return html`${choice}<button type="submit" class="button primary" ?disabled=${isStarting}>
      ${icon("play")}${isStarting ? t("{0} is starting…", name) : t("Start {0}", name)}
    </button>`;
}

function afterwards({ actions }: RenderContext, card: RelayCard): TemplateResult {
  const { successor, gap, problem, done } = card;
  const { share = null, saved = null } = successor ?? {};
  const figures = [
    ...(share === null ? [] : [percent(share)]),
    ...(saved === null ? [] : [t("saved {0}", aboutDollars(saved))]),
  ];
  return html`<purser-section
    heading=${t("Handed over")}
    note=${t("What is saved is the price of ten more turns in the old session, less that of ten turns in the new one, at list prices.")}
  >
    <div slot="actions">
      <button class="button" @click=${() => actions.closeCard()}>${t("Close")}</button>
    </div>
    <div class="relay">
      ${figures.length === 0 ? nothing : html`<p class="one now"><span class="number">${figures.join(" · ")}</span></p>`}
      ${
        successor === null
          ? nothing
          : html`<p>
              ${filled(
                t("{0} goes on with the work."),
                link(outside(successor.name, maxNameLength), () => actions.openSession(successor.id)),
              )}
            </p>`
      }
      ${problem === null ? nothing : banner(problem, null)}
      ${gap === null ? nothing : difference(card, gap, actions)}
      ${done === null ? nothing : html`<p class="quiet" role="status">${done}</p>`}
    </div>
  </purser-section>`;
}

type Gap = NonNullable<RelayCard["gap"]>;

function difference(
  { id }: RelayCard,
  { items, isReached }: Gap,
  actions: RenderContext["actions"],
): TemplateResult {
  if (items.length === 0)
    return html`<p class="quiet">
      ${t("The new session knows everything that purser knows of the old one.")}
    </p>`;
  const left = items.filter(({ back }) => back === null);
  const putBack = (some: Gap["items"]) =>
    actions.putBackCard(
      id,
      some.map((item) => item.id),
    );
  return html`<div class="fates">
    <section aria-label=${t("What the old session knew and the new one does not")}>
      <header>
        <h3>${t("What the old session knew and the new one does not")}</h3>
        ${
          left.length < 2
            ? nothing
            : html`<button class="button" @click=${() => putBack(left)}>
                ${t("Put Back All {0}", wholeNumber(left.length))}
              </button>`
        }
      </header>
      <p class="quiet">
        ${
          isReached
            ? t("Put Back adds it to the new session's next prompt.")
            : t("Purser has no hooks in the new session: Put Back copies the text, to paste into its prompt.")
        }
      </p>
      <ul>
        ${items.map(
          (item) =>
            html`<li>
              <span class="text"
                ><span class="quiet"
                  >${item.kind === "file" ? t("File read") : lostKindNames[item.kind]}</span
                >
                ${outside(item.text, maxItemLength)}</span
              >
              ${fate(item, isReached, () => putBack([item]))}
            </li>`,
        )}
      </ul>
    </section>
  </div>`;
}

function fate({ back, text }: Gap["items"][number], isReached: boolean, putBack: () => void): TemplateResult {
  if (back !== null)
    return html`<span class="quiet fate"
      >${back === "given" && !isReached ? t("Copied") : backWords[back]}</span
    >`;
  return html`<button
    class="link fate"
    aria-label=${t("Put Back: {0}", outsideText(text, maxItemLength))}
    @click=${putBack}
  >
    ${t("Put Back")}
  </button>`;
}
