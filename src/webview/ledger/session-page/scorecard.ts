import { column, numberColumn, extra } from "../../components/table/table-cells.ts";
import { html, nothing, svg, type TemplateResult } from "lit";
import {
  aboutDollars,
  decimalNumber,
  percent,
  shortNumber,
  wholeNumber,
} from "../../../engine/base/local-format.ts";
import { plural, t } from "../../../engine/base/language.ts";
import type { Measure, MeasureName, Scorecard } from "../../../engine/continuity/continuity-answers.ts";
import { unknown } from "../../components/figures.ts";
import { outside } from "../../components/outside.ts";
import type { Cell } from "../../components/table/table-rows.ts";
import { dataTable, type Heading } from "../../components/table/table.ts";

const names: Readonly<Record<MeasureName, string>> = {
  tokens: t("New tokens per prompt"),
  usd: t("Cost per prompt"),
  cache: t("Read from the cache"),
  rereads: t("Files read again, of all reads"),
  failures: t("Calls that failed"),
  loops: t("Loops"),
  compactions: t("Compactions"),
  unverified: t("Files edited but not tested"),
};

/** Lines of what was done and what is open; characters of one. */
const [maxLines, maxLineLength] = [6, 140];

/**
 * Shows a session's result beside the user's own sessions: a dot on a line with the median, and the figures.
 * No grade.
 */
export function scorecardSection(scorecard: Scorecard): TemplateResult {
  const { measures, done, open } = scorecard;
  const rows = measures.map((measure) => ({
    key: measure.name,
    cells: [
      { content: () => names[measure.name], sort: names[measure.name] },
      figureCell(measure.name, measure.value),
      figureCell(measure.name, measure.usual),
      { content: () => plot(measure), sort: null },
    ],
  }));
  const headings: Heading[] = [
    column(t("Figure")),
    numberColumn(t("This session")),
    numberColumn(t("Your median")),
    extra(column(t("Your range"))),
  ];
  return html`${dataTable({ label: t("Compared with your sessions"), headings, rows, most: 20 })}
    <p class="quiet number">${sentences(scorecard)}</p>
    ${list(t("Done"), done)} ${list(t("Left open"), open)}`;
}

function figureCell(name: MeasureName, value: number | null): Cell {
  return { content: () => (value === null ? unknown : shown(name, value)), sort: value };
}

function shown(name: MeasureName, value: number): string {
  switch (name) {
    case "tokens":
      return wholeNumber(value);
    case "usd":
      return aboutDollars(value);
    case "loops":
    case "compactions":
      return Number.isInteger(value) ? wholeNumber(value) : decimalNumber(value, 1);
    case "cache":
    case "rereads":
    case "failures":
    case "unverified":
      return percent(value * 100);
  }
}

/** Pixels: the width of a line, and the room for a dot at its ends. */
const [width, end] = [160, 6];

/** The figures are in the same row: the picture needs no words. Its strokes are attributes, as the page's styles end at the table. */
function plot({ value, usual, range }: Measure): TemplateResult | typeof nothing {
  if (usual === null || range === null) return nothing;
  const [least, most] = [Math.min(range[0], value ?? usual), Math.max(range[1], value ?? usual)];
  const at = (each: number) =>
    most === least ? width / 2 : end + ((each - least) / (most - least)) * (width - 2 * end);
  return html`<svg class="dots" width=${width} height="16" aria-hidden="true">
    ${svg`<line class="reach" stroke="currentColor" stroke-opacity="0.5" x1=${at(range[0])} x2=${at(range[1])} y1="8" y2="8" />
      <line class="median" stroke="currentColor" stroke-width="2" x1=${at(usual)} x2=${at(usual)} y1="3" y2="13" />
      ${value === null ? nothing : svg`<circle cx=${at(value)} cy="8" r="4" />`}`}
  </svg>`;
}

function sentences({ basis, completed, prompts, ...saved }: Scorecard): string {
  const { savedByGuards, savedByHandover, savedByPacket } = saved;
  return [
    plural(
      completed,
      t("1 completed prompt of {0}.", wholeNumber(prompts)),
      t("{0} completed prompts of {1}.", wholeNumber(completed), wholeNumber(prompts)),
    ),
    basis === null ? t("What is usual is unknown: fewer than 5 other sessions tell.") : describeBasis(basis),
    savedByGuards === null ? "" : t("Guards left out ~{0} tokens of outputs.", shortNumber(savedByGuards)),
    savedByHandover === null
      ? ""
      : t(
          "It began with a document, which took ~{0} tokens less than the conversation before it.",
          shortNumber(savedByHandover),
        ),
    savedByPacket === null
      ? ""
      : t(
          "It began with a resume packet, which took ~{0} tokens less than the last call of the session before it.",
          shortNumber(savedByPacket),
        ),
  ]
    .filter((each) => each !== "")
    .join(" ");
}

function describeBasis({ of, sessions }: NonNullable<Scorecard["basis"]>): string {
  return of === "project"
    ? plural(
        sessions,
        t("Compared with 1 other session of yours in this project."),
        t("Compared with {0} other sessions of yours in this project.", wholeNumber(sessions)),
      )
    : plural(
        sessions,
        t("Compared with 1 other session of yours with this agent."),
        t("Compared with {0} other sessions of yours with this agent.", wholeNumber(sessions)),
      );
}

function list(title: string, lines: readonly string[]): TemplateResult | typeof nothing {
  if (lines.length === 0) return nothing;
  const more = lines.length - maxLines;
  return html`<h3>${title}</h3>
    <ul>
      ${lines.slice(-maxLines).map((line) => html`<li>${outside(line, maxLineLength)}</li>`)}
      ${more > 0 ? html`<li class="quiet">${t("and {0} more", wholeNumber(more))}</li>` : nothing}
    </ul>`;
}
