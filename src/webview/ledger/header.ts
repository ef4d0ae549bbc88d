import { backButton } from "../components/states.ts";
import { html, nothing, type TemplateResult } from "lit";
import { plural, t } from "../../engine/base/language.ts";
import type { Freshness } from "../../engine/ledger/ledger-answers.ts";
import { icon } from "../components/icon.ts";
import { outside, said } from "../components/outside.ts";
import { moment } from "../components/times.ts";
import type { RenderContext } from "./ledger-model.ts";
import { sessionName } from "./session-name.ts";

const maxProblems = 20;
/** Maximum length of a title: it is shown whole unless somebody pasted a page. Characters. */
const maxHeadingLength = 300;

export function overviewHeader(context: RenderContext): TemplateResult {
  const { overview } = context.model;
  const hasFigures = overview !== null && overview.overview.totals.responses > 0;
  return html`<header class="title">
    <div>
      <h1 tabindex="-1">${t("Usage")}</h1>
      ${overview === null ? nothing : freshnessLine(overview.freshness, context.now)}
    </div>
    ${hasFigures ? exportButtons(context) : nothing}
  </header>`;
}

export function sessionHeader(context: RenderContext): TemplateResult {
  const { model, actions, now } = context;
  const { session, kept } = model;
  const page = session?.page ?? null;
  const id = kept.sessionId ?? "";
  return html`<header class="title">
    <div>${backButton(t("Usage"), t("Back to Usage (Escape)"), () => actions.back())}</div>
    ${
      page === null
        ? nothing
        : html`<div class="buttons">
            ${handOverButton(context, id)}
            <button class="button" @click=${() => actions.openTranscript(id)}>
              ${icon("file")}${t("Open Transcript")}
            </button>
            ${exportButtons(context)}
          </div>`
    }
    <div class="whole">
      <h1 tabindex="-1">${sessionName(page?.session ?? { id, title: null }, now, maxHeadingLength)}</h1>
      ${session === null ? nothing : freshnessLine(session.freshness, now)}
    </div>
  </header>`;
}

/** The first thing to do where the advice is to end. */
function handOverButton({ model, actions }: RenderContext, id: string): TemplateResult | typeof nothing {
  const { canHandOver = false, isEnding = false } = model.session?.work ?? {};
  const isShown = model.card?.sessionId === id && model.card.state !== "taken";
  if (!canHandOver || isShown) return nothing;
  return html`<button class=${isEnding ? "button primary" : "button"} @click=${() => actions.handOver(id)}>
    ${icon("handover")}${t("Hand Over…")}
  </button>`;
}

function exportButtons({ actions }: RenderContext): TemplateResult {
  return html`<div class="buttons">
    <button class="button" @click=${() => actions.exportAs("csv")}>
      ${icon("export")}${t("Export CSV")}
    </button>
    <button class="button" @click=${() => actions.exportAs("json")}>
      ${icon("export")}${t("Export JSON")}
    </button>
  </div>`;
}

/** Shows how fresh the figures are, what is being read, and what could not be read. */
function freshnessLine({ asOf, files, done, problems }: Freshness, now: number): TemplateResult {
  const isReading = done < files;
  return html`<div class="freshness quiet number">
    <span>${asOf === null ? t("Not all is read yet") : t("As of {0}", moment(asOf, now))}</span>
    ${
      isReading
        ? html`<span>${t("Reading transcripts: {0} of {1}", done, files)}</span>
            <progress max=${files} .value=${done} aria-label=${t("Transcripts read")}></progress>`
        : nothing
    }
    ${
      problems.length === 0
        ? nothing
        : html`<details>
            <summary>${plural(problems.length, t("1 problem"), t("{0} problems", problems.length))}</summary>
            <ul>
              ${problems
                .slice(0, maxProblems)
                .map(({ path, reason }) => html`<li>${outside(path, 80)}: ${said(reason, 300)}</li>`)}
            </ul>
          </details>`
    }
  </div>`;
}
