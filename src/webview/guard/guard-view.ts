import { html, type PropertyValues, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import { PanelPage, type Change } from "../components/components-page.ts";
import { skeleton, troubleBanner, troubleView } from "../components/states.ts";
import { PurserTable } from "../components/table/table.ts";
import {
  type Actions,
  type RenderContext,
  applyMessage,
  firstModel,
  withAsking,
  type Model,
} from "./guard-model.ts";
import { detailPage } from "./guard-detail-page.ts";
import { homeHeader, ruleHeader } from "./titles.ts";
import { homePage } from "./guard-home-page.ts";
import { firstState, type HostMessage, type PanelMessage, type PanelState } from "./guard-protocol.ts";

/** The Guard panel's page: what rules did and are, or one rule. */
export class PurserGuard extends PanelPage<Model, HostMessage, PanelMessage> {
  /** The scroll position when a rule was opened. */
  #scrollBehind = 0;
  /** The rule with the link that gets the focus when all are shown again. */
  #cameFrom: string | null = null;

  constructor() {
    super({ firstState, firstModel, ready, applyMessage, isAwaiting, spoken, isNews, isComplete });
  }

  /** Stores the scroll position only for the first page. */
  override rememberScroll(scroll: number): void {
    if (this.model.kept.rule === null) super.rememberScroll(scroll);
  }

  protected override content(): TemplateResult {
    const context: RenderContext = { ...this.renderContext, actions: this.#actions };
    const { rule } = this.model.kept;
    return html`<div class="top">
        ${rule === null ? homeHeader(context) : ruleHeader(context, rule)}${troubleAbove(context)}
      </div>
      ${bodyOf(context)}`;
  }

  protected override back(): boolean {
    const { kept } = this.model;
    if (kept.rule === null) return false;
    this.#cameFrom = kept.rule;
    this.setModel({ ...this.model, kept: { ...kept, rule: null } });
    return true;
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("model") || !isComplete(this.model)) return;
    if (this.model.kept.rule !== null) this.showNewPage();
    else if (this.#cameFrom === null) this.restoreScroll();
    else void this.#return(this.#cameFrom, this.#scrollBehind);
    this.#cameFrom = null;
    this.hasRestoredScroll = true;
  }

  async #return(rule: string, scroll: number): Promise<void> {
    await this.scrollWhole(scroll);
    const table = this.renderRoot.querySelector("#rules");
    const isFound = table instanceof PurserTable && table.focusRow(rule);
    if (!isFound) this.focusHeading();
    this.ownerDocument.defaultView?.scrollTo(0, scroll);
  }

  readonly #actions: Actions = {
    ...this.pageActions,
    retry: () => {
      this.model = withAsking(this.model);
      this.post({ type: "retry" });
    },
    post: (message) => this.post(message),
    showDays: (days) => {
      this.setModel(withAsking({ ...this.model, kept: { ...this.model.kept, days } }));
      this.post({ type: "show", days });
    },
    setMode: (family, mode) => this.press({ type: "setMode", family, mode }),
    askFamilies: (isTurningOn) => (this.model = { ...this.model, isTurningOn }),
    turnOn: (families) => {
      this.model = { ...this.model, isTurningOn: false };
      if (families.length > 0) this.press({ type: "turnOn", families: [...families] });
    },
    askTrial: (isTrying) => (this.model = { ...this.model, isTrying }),
    startTrial: (families) => {
      this.model = { ...this.model, isTrying: false };
      if (families.length > 0) this.press({ type: "startTrial", families: [...families] });
    },
    press: (message) => this.press(message),
    chooseReplay: (change) => this.keep({ replay: { ...this.model.kept.replay, ...change } }),
    replay: () => {
      if (this.model.replay?.kind !== "playing") this.post({ type: "play", asked: this.model.kept.replay });
      this.renderRoot.querySelector("#replay")?.scrollIntoView({ block: "start" });
    },
    filter: (change) => this.keep(change),
    openRule: (rule) => {
      if (this.model.kept.rule === null) this.#scrollBehind = this.ownerDocument.defaultView?.scrollY ?? 0;
      const kept = { ...this.model.kept, rule };
      this.navigate({ ...this.model, kept, choosing: null }, true);
    },
    choose: (choosing) => (this.model = { ...this.model, choosing }),
    except: (hit, wish) => this.press({ type: "except", hit, wish }),
    wake: (rule) => this.press({ type: "wake", rule }),
    unwake: (rule, at) => this.press({ type: "unwake", rule, at }),
    undo: () => {
      const id = this.model.excepted?.added.id;
      if (id !== undefined) this.press({ type: "undo", id });
    },
  };
}

customElements.define("purser-guard", PurserGuard);

function ready({ days }: PanelState): PanelMessage {
  return { type: "ready", days };
}

function isAwaiting({ isAsking }: Model): boolean {
  return isAsking;
}

function isComplete({ view, rules }: Model): boolean {
  return view !== null && rules !== null;
}

/** Announces no unrequested updates: they come with each call on which a rule fires. */
function isNews({ before, now, message }: Change<Model, HostMessage>): boolean {
  if (message.type === "replay") return now.did !== before.did;
  return message.type === "view" ? before.isAsking : message.type !== "rules" && message.type !== "trials";
}

function troubleAbove({ model, actions }: RenderContext): unknown {
  return model.view === null ? "" : troubleBanner(model.trouble, actions);
}

function bodyOf(context: RenderContext): TemplateResult {
  const { view, trouble, kept, rules } = context.model;
  if (view === null) return trouble === null ? skeleton() : troubleView(trouble, context.actions);
  if (kept.rule === null) return homePage(context, view);
  return rules === null ? skeleton() : detailPage(context, kept.rule, view);
}

function spoken({ view, trouble, did }: Model): string {
  if (trouble !== null) return trouble.message;
  if (did !== "") return did;
  if (view === null) return "";
  const calls = view.view.counts.reduce((sum, { count }) => sum + count, 0);
  return t("Guard rules fired on {0} calls.", wholeNumber(calls));
}
