import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/format.ts";
import { panelStyles } from "../components/panel-styles.ts";
import { banner, skeleton, stateStyles, stateView } from "../components/states.ts";
import { controls, shared } from "../components/styles.ts";
import type { Actions, Scene } from "./actions.ts";
import { firstModel, heard, withAsking, withProject, withTableToggled, type Model } from "./model.ts";
import { pageStyles } from "./page-styles.ts";
import { firstState, type HostMessage, type PanelMessage, type PanelState } from "./protocol.ts";
import { projectSelect } from "./project-select.ts";
import { reportPage } from "./report-page.ts";

interface Ports {
  readonly say: (message: PanelMessage) => void;
  /** Remembers it while the panel is hidden and over a reload of the window. */
  readonly keep: (state: PanelState) => void;
}

/** The whole panel. What the host says it is told by `hear`. */
export class PurserStatus extends LitElement {
  static override readonly styles = [shared, controls, stateStyles, panelStyles, pageStyles];
  static override readonly properties = { model: { state: true }, announcement: { state: true } };
  declare model: Model;
  /** What a screen reader is told of. */
  declare announcement: string;
  #ports: Ports = { say: () => undefined, keep: () => undefined };
  #restoredScroll = false;

  constructor() {
    super();
    this.model = firstModel(firstState);
    this.announcement = "";
  }

  /** @param kept what it remembered when it was last there */
  begin(kept: PanelState, ports: Ports): void {
    this.#ports = ports;
    this.model = firstModel(kept);
    this.#ports.say({ type: "ready", project: kept.project });
  }

  hear(message: HostMessage): void {
    const wasAsking = this.model.isAsking;
    this.model = heard(this.model, message);
    // Updates that come by themselves are not read out.
    if (wasAsking || message.type !== "report") this.announcement = spoken(this.model);
  }

  rememberScroll(scroll: number): void {
    if (!this.#restoredScroll) return;
    this.model = { ...this.model, kept: { ...this.model.kept, scroll } };
    this.#ports.keep(this.model.kept);
  }

  protected override render() {
    const scene: Scene = { model: this.model, actions: this.#actions, now: Date.now() };
    const { isAsking } = this.model;
    return html`${isAsking ? html`<div class="progress"></div>` : nothing}
      <main aria-busy=${isAsking ? "true" : "false"}>${title(scene)}${bodyOf(scene)}</main>
      <p class="hidden-text" role="status">${this.announcement}</p>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("model") || this.model.report === null || this.#restoredScroll) return;
    this.#restoredScroll = true;
    void this.#scrollTo(this.model.kept.scroll);
  }

  /** The tables and charts have to be there first. */
  async #scrollTo(scroll: number): Promise<void> {
    const parts = [...this.renderRoot.querySelectorAll("*")].filter((part) => part instanceof LitElement);
    await Promise.all(parts.map((part) => part.updateComplete));
    this.ownerDocument.defaultView?.scrollTo(0, scroll);
  }

  readonly #actions: Actions = {
    say: (message) => this.#ports.say(message),
    retry: () => {
      this.model = withAsking(this.model);
      this.#ports.say({ type: "retry" });
    },
    narrow: (project) => {
      this.model = withProject(this.model, project);
      this.#ports.keep(this.model.kept);
      this.#ports.say({ type: "narrow", project });
    },
    toggleTable: (agent) => {
      this.model = withTableToggled(this.model, agent);
      this.#ports.keep(this.model.kept);
    },
  };
}

customElements.define("purser-status", PurserStatus);

function title({ model, actions }: Scene): TemplateResult {
  const waiting = (model.report?.agents ?? []).some(({ rules }) => rules.candidate + rules.measured > 0);
  const review = html`<button
    class="button ${waiting ? "primary" : ""}"
    @click=${() => actions.say({ type: "review", id: null })}
  >
    Review Rules
  </button>`;
  return html`<header class="title">
    <div><h1>Status Report</h1></div>
    ${
      model.report === null
        ? nothing
        : html`<div class="buttons">
            ${projectSelect(model.report, (project) => actions.narrow(project))} ${review}
          </div>`
    }
  </header>`;
}

function bodyOf(scene: Scene): TemplateResult {
  const { model, actions } = scene;
  const { report, trouble } = model;
  const retry = { label: "Try Again", run: () => actions.retry() };
  if (report !== null)
    return html`${trouble === null ? nothing : banner(trouble.message, retry)}${reportPage(scene, report)}`;
  if (trouble === null) return skeleton();
  const isOffline = trouble.type === "offline";
  return stateView({
    icon: isOffline ? "disconnect" : "error",
    heading: isOffline ? "The service is offline" : "The report could not be made",
    text: trouble.message,
    actions: [retry, { label: "Show Log", run: () => actions.say({ type: "showLog" }) }],
  });
}

function spoken({ report, trouble }: Model): string {
  if (trouble !== null) return trouble.message;
  if (report === null) return "";
  return `Report of ${wholeNumber(report.agents.length)} agents shown.`;
}
