import { html, type TemplateResult } from "lit";
import { plural, t } from "../../engine/base/language.ts";
import { wholeNumber } from "../../engine/base/local-format.ts";
import type { GuardFamily, GuardView } from "../../engine/guard/guard-answers.ts";
import { sum } from "../components/charts/series.ts";
import type { RenderContext } from "./guard-model.ts";
import { bytesText, familyNames, familySentences, isFamily } from "./describe-guard.ts";
import type { ViewMessage } from "./guard-protocol.ts";

const families = Object.keys(familyNames).filter(isFamily);

/** Asks which families to turn on, each with what it would have done in the time shown. */
export function turnOnForm(
  { model, actions }: RenderContext,
  { days, view }: Pick<ViewMessage, "days" | "view">,
): TemplateResult {
  return html`<form
    class="form"
    aria-label=${t("Turn On Guard")}
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      if (!(event.currentTarget instanceof HTMLFormElement)) return;
      const chosen = new FormData(event.currentTarget).getAll("family");
      actions.turnOn(families.filter((family) => chosen.includes(family)));
    }}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      actions.askFamilies(false);
    }}
  >
    <p>
      ${t("Choose what Guard may do, for every agent on this machine. Beside each family is what it found in the last {0} days.", days)}
    </p>
    ${families.map(
      (family) =>
        html`<label class="family"
          ><input
            type="checkbox"
            name="family"
            value=${family}
            ?checked=${view.modes.families[family] !== "off"}
          />
          <span
            ><strong>${familyNames[family]}: ${describeWeek(view, family)}</strong>
            <span class="quiet about">${familySentences[family]}</span></span
          ></label
        >`,
    )}
    <div class="choices">
      <button class="button primary" ?disabled=${model.isBusy}>${t("Turn On These")}</button>
      <button class="button" type="button" @click=${() => actions.askFamilies(false)}>${t("Cancel")}</button>
    </div>
  </form>`;
}

/** What a family's rules would have done, in a few words. */
function describeWeek({ counts }: Pick<GuardView, "counts">, family: GuardFamily): string {
  const own = counts.filter((each) => each.family === family);
  const callsOf = (...actions: readonly string[]) =>
    sum(
      own
        .filter(({ action, savedBytes }) => actions.includes(action) && savedBytes === 0)
        .map(({ count }) => count),
    );
  const [asked, denied, advised] = [callsOf("ask"), callsOf("deny"), callsOf("advise")];
  const bytes = sum(own.map(({ savedBytes }) => savedBytes));
  const parts = [
    ...(asked > 0 ? [plural(asked, t("1 question"), t("{0} questions", wholeNumber(asked)))] : []),
    ...(denied > 0 ? [plural(denied, t("1 denied call"), t("{0} denied calls", wholeNumber(denied)))] : []),
    ...(bytes > 0 ? [t("{0} less", bytesText(bytes))] : []),
    ...(advised > 0 ? [plural(advised, t("1 hint"), t("{0} hints", wholeNumber(advised)))] : []),
  ];
  return parts.length === 0 ? t("nothing") : parts.join(", ");
}
