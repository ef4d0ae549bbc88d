import { html, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import { projectSelect, spanSelect } from "../components/filter-select.ts";
import { PanelPage, type Change } from "../components/components-page.ts";
import { skeleton, troubleBanner, troubleView } from "../components/states.ts";
import {
  type Actions,
  type RenderContext,
  applyMessage,
  firstModel,
  withAsking,
  withChoice,
  type Model,
} from "./economy-model.ts";
import { economyPage, spokenCount } from "./economy-page.ts";
import { firstState, type HostMessage, type PanelMessage, type PanelState } from "./economy-protocol.ts";

/** The page of the Recurring Agents view: what recurring agents did and cost, and what is wrong. */
export class PurserEconomy extends PanelPage<Model, HostMessage, PanelMessage> {
  constructor() {
    super({ firstState, firstModel, ready, applyMessage, isAwaiting, spoken, isNews, isComplete });
  }

  protected override content(): TemplateResult {
    const context: RenderContext = { ...this.renderContext, actions: this.#actions };
    return html`${title(context)}${bodyOf(context)}`;
  }

  readonly #actions: Actions = {
    ...this.pageActions,
    retry: () => {
      this.model = withAsking(this.model);
      this.post({ type: "retry" });
    },
    post: (message) => this.post(message),
    narrow: (choice) => {
      this.setModel(withChoice(this.model, choice));
      const { days, project } = this.model.kept;
      this.post({ type: "narrow", days, project });
    },
  };
}

customElements.define("purser-economy", PurserEconomy);

function ready({ days, project }: PanelState): PanelMessage {
  return { type: "ready", days, project };
}

function isAwaiting({ isAsking }: Model): boolean {
  return isAsking;
}

function isComplete({ view }: Model): boolean {
  return view !== null;
}

/** Announces no unrequested updates. */
function isNews({ before, message }: Change<Model, HostMessage>): boolean {
  return before.isAsking || message.type !== "economy";
}

function title({ model, actions }: RenderContext): TemplateResult {
  const { days, project } = model.kept;
  return html`<header class="title">
    <div><h1>${t("Recurring Agents")}</h1></div>
    <div class="buttons">
      ${spanSelect(t("Period"), days, (span) => actions.narrow({ days: span }))}
      ${projectSelect(project, model.view?.projects ?? [], (chosen) => actions.narrow({ project: chosen }))}
    </div>
  </header>`;
}

function bodyOf(context: RenderContext): TemplateResult {
  const { model, actions } = context;
  const { view, trouble } = model;
  if (view !== null) return html`${troubleBanner(trouble, actions)}${economyPage(context, view)}`;
  if (trouble === null) return skeleton();
  return troubleView(trouble, actions);
}

function spoken({ view, trouble }: Model): string {
  if (trouble !== null) return trouble.message;
  if (view === null) return "";
  return spokenCount(view);
}
