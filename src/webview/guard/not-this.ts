import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import {
  guardExceptionScopes,
  type GuardExceptionScope,
  type GuardHit,
} from "../../engine/guard/guard-answers.ts";
import { icon } from "../components/icon.ts";
import { outside, outsideText } from "../components/outside.ts";
import { notice } from "../components/states.ts";
import { isSample } from "../components/panel-links.ts";
import { filled } from "../components/sentences.ts";
import type { RenderContext } from "./guard-model.ts";
import { describeException, endNames } from "./describe-guard.ts";
import { ends, type Wish } from "./guard-protocol.ts";

/** Characters. */
const [maxFolderLength, maxNameLength] = [60, 100];

/** A description of each scope of an exception. */
const scopeNames: Readonly<Record<GuardExceptionScope, string>> = {
  command: t("this command"),
  folder: t("this folder"),
  everywhere: t("everywhere"),
};

/** The button that writes an exception as it was chosen last, and the one that shows the choices. */
export function notThisButtons(context: RenderContext, hit: GuardHit): TemplateResult {
  const { model, actions } = context;
  const wish = fitting(hit, model.kept.wish);
  const isOpen = model.choosing === hit.id;
  const what = `${scopeNames[wish.scope]}, ${endNames.get(wish.days) ?? ""}`;
  return html`<div
    class="split"
    role="group"
    aria-label=${t("Not this: {0}", outsideText(hit.rule, maxNameLength))}
  >
    <button
      class="button"
      title=${t("No more of {0}: {1}", outsideText(hit.rule, maxNameLength), what)}
      ?disabled=${model.isBusy}
      @click=${() => actions.except(hit.id, wish)}
    >
      ${t("Not This")}
    </button>
    <button
      class="button more"
      title=${t("Choose for what, and how long")}
      aria-expanded=${isOpen ? "true" : "false"}
      ?disabled=${model.isBusy}
      @click=${() => actions.choose(isOpen ? null : hit.id)}
    >
      ${icon("expand")}
    </button>
  </div>`;
}

/** The choices of an exception, below its hit. */
export function notThisForm(context: RenderContext, hit: GuardHit): TemplateResult | typeof nothing {
  const { model, actions } = context;
  if (model.choosing !== hit.id) return nothing;
  const { scope, days } = fitting(hit, model.kept.wish);
  const read = (form: HTMLFormElement): Wish => {
    const chosen = new FormData(form);
    const end = ends[Number(chosen.get("days"))];
    return {
      scope: guardExceptionScopes.find((each) => each === chosen.get("scope")) ?? scope,
      days: end === undefined ? days : end,
    };
  };
  return html`<form
    class="choices"
    aria-label=${t("Not this: {0}", outsideText(hit.rule, maxNameLength))}
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      if (event.currentTarget instanceof HTMLFormElement) actions.except(hit.id, read(event.currentTarget));
    }}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      actions.choose(null);
    }}
  >
    <label
      >${t("Not for")}
      <select name="scope">
        ${guardExceptionScopes.map(
          (each) =>
            html`<option value=${each} .selected=${each === scope} ?disabled=${!fits(hit, each)}>
              ${scopeNames[each]}
            </option>`,
        )}
      </select></label
    >
    <label
      >${t("Ends")}
      <select name="days">
        ${ends.map(
          (each, index) =>
            html`<option value=${index} .selected=${each === days}>${endNames.get(each)}</option>`,
        )}
      </select></label
    >
    <button class="button primary" ?disabled=${model.isBusy}>${t("Add Exception")}</button>
    <button class="button" type="button" @click=${() => actions.choose(null)}>${t("Cancel")}</button>
    ${
      hit.folder === null
        ? nothing
        : html`<p class="quiet">${filled(t("This folder is {0}."), outside(hit.folder, maxFolderLength))}</p>`
    }
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
    t("No more of {0}: {1}."),
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

/** The last choice, without parts that the hit does not support. */
function fitting(hit: GuardHit, wish: Wish): Wish {
  if (fits(hit, wish.scope)) return wish;
  return { ...wish, scope: fits(hit, "command") ? "command" : "everywhere" };
}

function fits({ excerpt, folder }: GuardHit, scope: GuardExceptionScope): boolean {
  if (scope === "command") return excerpt !== null && excerpt !== "";
  return scope === "folder" ? folder !== null && folder !== "" : true;
}
