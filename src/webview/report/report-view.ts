import { html, nothing, type TemplateResult } from "lit";
import { wholeNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import { icon } from "../components/icon.ts";
import { PanelPage, type Change } from "../components/components-page.ts";
import { skeleton, troubleBanner, troubleView } from "../components/states.ts";
import {
  type Actions,
  type RenderContext,
  firstModel,
  applyMessage,
  withAsking,
  withProject,
  withTableToggled,
  type Model,
} from "./report-model.ts";
import { firstState, type HostMessage, type PanelMessage, type PanelState } from "./report-protocol.ts";
import { reportPage } from "./report-page.ts";
import type { ReportView } from "../../engine/rules/rules-answers.ts";
import { projectSelect } from "../components/filter-select.ts";

/** The Status panel's page: one report. */
export class PurserStatus extends PanelPage<Model, HostMessage, PanelMessage> {
  constructor() {
    super({ firstState, firstModel, ready, applyMessage, isAwaiting, spoken, isNews, isComplete });
  }

  protected override content(): TemplateResult {
    const tables = new Set(this.model.kept.tables);
    const context: RenderContext = { ...this.renderContext, tables, actions: this.#actions };
    return html`${title(context)}${bodyOf(context)}`;
  }

  readonly #actions: Actions = {
    ...this.pageActions,
    retry: () => {
      this.model = withAsking(this.model);
      this.post({ type: "retry" });
    },
    post: (message) => this.post(message),
    narrow: (project) => {
      this.setModel(withProject(this.model, project));
      this.post({ type: "narrow", project });
    },
    // Tables are part of the stored state, so that they outlive a reload.
    toggleTable: (agent) => this.setModel(withTableToggled(this.model, agent)),
  };
}

customElements.define("purser-status", PurserStatus);

function ready({ project }: PanelState): PanelMessage {
  return { type: "ready", project };
}

function isAwaiting({ isAsking }: Model): boolean {
  return isAsking;
}

function isComplete({ report }: Model): boolean {
  return report !== null;
}

/** Announces no unrequested updates. */
function isNews({ before, message }: Change<Model, HostMessage>): boolean {
  return before.isAsking || message.type !== "report";
}

function title({ model, actions }: RenderContext): TemplateResult {
  const waiting = (model.report?.agents ?? []).some(({ rules }) => rules.candidate + rules.measured > 0);
  const review = html`<button
    class="button ${waiting ? "primary" : ""}"
    @click=${() => actions.post({ type: "review", id: null })}
  >
    ${t("Review Rules")}
  </button>`;
  return html`<header class="title">
    <div><h1>${t("Status Report")}</h1></div>
    ${
      model.report === null
        ? nothing
        : html`<div class="buttons">
            ${projectSelect(model.report.project, projectsOf(model.report), (project) => actions.narrow(project))}
            <button class="button" @click=${() => actions.post({ type: "export" })}>
              ${icon("export")}${t("Export JSON")}
            </button>
            ${review}
          </div>`
    }
  </header>`;
}

/** The projects that can be chosen: runs without one are only among all. */
function projectsOf({ projects }: ReportView): string[] {
  return projects.map(({ project }) => project).filter((project) => project !== "unknown");
}

function bodyOf(context: RenderContext): TemplateResult {
  const { model, actions } = context;
  const { report, trouble } = model;
  if (report !== null) return html`${troubleBanner(trouble, actions)}${reportPage(context, report)}`;
  if (trouble === null) return skeleton();
  return troubleView(trouble, actions);
}

function spoken({ report, trouble }: Model): string {
  if (trouble !== null) return trouble.message;
  if (report === null) return "";
  return t("Report of {0} agents shown.", wholeNumber(report.agents.length));
}
