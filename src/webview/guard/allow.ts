import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import type { GuardHit } from "../../engine/guard/guard-answers.ts";
import { outside, outsideText } from "../components/outside.ts";
import { notice } from "../components/states.ts";
import { isSample } from "../components/panel-links.ts";
import { filled } from "../components/sentences.ts";
import { link } from "../components/table/table-cells.ts";
import type { RenderContext } from "./guard-model.ts";
import { describeException } from "./describe-guard.ts";
import type { Wish } from "./guard-protocol.ts";

/** Characters. */
const [maxFolderLength, maxNameLength] = [60, 100];

interface Choice {
  readonly name: string;
  readonly wish: Wish;
}

/** Exceptions that a hit supports, the narrowest first. Wider ones are written in the rules file. */
function choicesOf({ excerpt, folder }: GuardHit): readonly Choice[] {
  const hasCall = excerpt !== null && excerpt !== "";
  const hasFolder = folder !== null && folder !== "";
  if (hasCall && hasFolder)
    return [
      { name: t("This command in this folder, until midnight"), wish: { scope: "here", days: 1 } },
      { name: t("This command in this folder, for 30 days"), wish: { scope: "here", days: 30 } },
    ];
  if (hasCall) return [{ name: t("This command, until midnight"), wish: { scope: "command", days: 1 } }];
  if (hasFolder)
    return [{ name: t("This rule in this folder, until midnight"), wish: { scope: "folder", days: 1 } }];
  return [{ name: t("This rule, until midnight"), wish: { scope: "everywhere", days: 1 } }];
}

/** The button that shows the choices of an exception. It never writes one itself. */
export function allowButton({ model, actions }: RenderContext, hit: GuardHit): TemplateResult {
  const isOpen = model.choosing === hit.id;
  return html`<button
    class="button"
    title=${t("Choose what {0} no longer warns of, and how long", outsideText(hit.rule, maxNameLength))}
    aria-expanded=${isOpen ? "true" : "false"}
    ?disabled=${model.isBusy}
    @click=${() => actions.choose(isOpen ? null : hit.id)}
  >
    ${t("Allow…")}
  </button>`;
}

/** The choices of an exception, below its hit. */
export function allowForm({ model, actions }: RenderContext, hit: GuardHit): TemplateResult | typeof nothing {
  if (model.choosing !== hit.id) return nothing;
  const choices = choicesOf(hit);
  return html`<form
    class="choices"
    aria-label=${t("Allow: {0}", outsideText(hit.rule, maxNameLength))}
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      if (!(event.currentTarget instanceof HTMLFormElement)) return;
      const choice = choices[Number(new FormData(event.currentTarget).get("choice"))];
      if (choice !== undefined) actions.except(hit.id, choice.wish);
    }}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      actions.choose(null);
    }}
  >
    ${choices.map(
      ({ name }, index) =>
        html`<label
          ><input type="radio" name="choice" value=${index} ?checked=${index === 0} />${name}</label
        >`,
    )}
    <button class="button primary" ?disabled=${model.isBusy}>${t("Allow")}</button>
    <button class="button" type="button" @click=${() => actions.choose(null)}>${t("Cancel")}</button>
    <p class="quiet">
      ${
        hit.folder === null ? nothing : filled(t("This folder is {0}."), outside(hit.folder, maxFolderLength))
      }
      ${link(t("Other Exceptions in the Rules File"), () =>
        actions.post({ type: "openFile", whose: "user", line: null }),
      )}
    </p>
  </form>`;
}

/** The exception written for a hit, with a link to undo it. */
export function writtenException(
  { model, actions }: RenderContext,
  hit: GuardHit,
  today: string,
): TemplateResult | typeof nothing {
  if (model.excepted?.hit !== hit.id) return nothing;
  const { exception, line } = model.excepted.added;
  const text = filled(
    t("{0} allows it {1}."),
    outside(exception.rule, maxNameLength),
    outside(describeException(exception, today), 160),
  );
  return notice(
    text,
    [
      { label: t("Undo"), run: () => actions.undo() },
      {
        label: t("Open Rules File"),
        run: () => actions.post({ type: "openFile", whose: "user", line }),
      },
    ],
    { isBusy: model.isBusy, iconName: "check" },
  );
}

/** Whether exceptions can be made. Not in the sample, where rules belong to nobody. */
export const canExcept = !isSample;
