import { html, svg, type TemplateResult } from "lit";
import { dash, minus } from "../../../engine/base/format.ts";
import { shortNumber } from "../../../engine/base/local-format.ts";
import { t } from "../../../engine/base/language.ts";
import { outside, outsideText } from "../outside.ts";
import { againstBefore } from "../figures.ts";
import { spaced } from "../sentences.ts";

/** Processing tokens saved. */
interface Saved {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface PlotRow {
  readonly name: string;
  /** Null when unknown; `why` gives the reason. */
  readonly saved: Saved | null;
  readonly why: string;
  readonly flag: string | null;
  /** The row summarizes the others. */
  readonly isWhole: boolean;
}

interface Scale {
  readonly low: number;
  readonly high: number;
}

/** Intervals are cut off this far beyond the values, because few pairs may give a very wide one. A factor. */
const farthest = 2.5;
const maxNameLength = 48;

/** Draws one line per row: a dot, its interval, and a line at zero difference. Fewer tokens are on the left, more on the right. */
export function differencePlot(label: string, rows: readonly PlotRow[]): TemplateResult {
  const scale = scaleOf(rows.flatMap(({ saved }) => saved ?? []));
  const positionOf = (saved: number) =>
    `${(((clamp(-saved, scale) - scale.low) / (scale.high - scale.low)) * 100).toFixed(2)}%`;
  return html`<div class="forest" role="img" aria-label=${spoken(label, rows)}>
    ${rows.map((row) => line(row, positionOf))}
    <div class="row axis">
      <span></span>
      <svg class="ticks" aria-hidden="true">
        ${ticksOf(scale).map(
          (value) => svg`<line x1=${positionOf(-value)} x2=${positionOf(-value)} y1="0" y2="4" />
            <text x=${positionOf(-value)} y="17" text-anchor=${anchorOf(value, scale)}>${signed(value)}</text>`,
        )}
      </svg>
      <span></span>
    </div>
    <div class="row ends quiet">
      <span></span
      ><span class="between"><span>${t("← takes less")}</span><span>${t("takes more →")}</span></span
      ><span></span>
    </div>
  </div>`;
}

function line({ name, saved, why, flag, isWhole }: PlotRow, at: (saved: number) => string): TemplateResult {
  return html`<div class="row ${isWhole ? "whole" : ""}">
    <span class="name"
      >${flag === null ? outside(name, maxNameLength) : spaced(outside(name, maxNameLength), html`<span class="flag">${flag}</span>`)}</span
    >
    ${saved === null ? html`<span class="why quiet">${why}</span>` : strip(saved, at, isWhole)}
    <span class="figure number">${saved === null ? dash : againstBefore(saved.value)}</span>
  </div>`;
}

function strip({ value, low, high }: Saved, at: (saved: number) => string, isWhole: boolean): TemplateResult {
  return html`<svg class="strip" aria-hidden="true">
    ${svg`<line class="zero" x1=${at(0)} x2=${at(0)} y1="0" y2="100%" />
      <line class="whisker" x1=${at(low)} x2=${at(high)} y1="13" y2="13" />
      <line class="whisker" x1=${at(low)} x2=${at(low)} y1="9" y2="17" />
      <line class="whisker" x1=${at(high)} x2=${at(high)} y1="9" y2="17" />
      <circle cx=${at(value)} cy="13" r=${isWhole ? "5.5" : "4"} />`}
  </svg>`;
}

/** The axis of tokens more or less than before, less on the left. */
function scaleOf(all: readonly Saved[]): Scale {
  const limit = farthest * Math.max(1, ...all.map(({ value }) => Math.abs(value)));
  const ends = all
    .flatMap(({ low, high }) => [low, high])
    .map((end) => clamp(-end, { low: -limit, high: limit }));
  const values = [0, ...all.map(({ value }) => -value), ...ends];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(1, high - low) * 0.08;
  return { low: low - room, high: high + room };
}

function clamp(value: number, { low, high }: Scale): number {
  return Math.min(high, Math.max(low, value));
}

function ticksOf({ low, high }: Scale): number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** Keeps a label at the edge inside the plot. */
function anchorOf(value: number, { low, high }: Scale): string {
  const share = (value - low) / (high - low);
  return share < 0.05 ? "start" : share > 0.95 ? "end" : "middle";
}

function signed(value: number): string {
  if (value === 0) return "0";
  return `${value < 0 ? minus : "+"}${shortNumber(Math.abs(value))}`;
}

/** The plot in words. The table has every figure. */
function spoken(label: string, rows: readonly PlotRow[]): string {
  const each = rows.map(({ name, saved, why, flag }) => {
    const told =
      saved === null
        ? why
        : t(
            "{0}, from {1} to {2}",
            againstBefore(saved.value),
            againstBefore(saved.high),
            againstBefore(saved.low),
          );
    return `${outsideText(name, maxNameLength)}: ${told}${flag === null ? "" : `, ${flag}`}`;
  });
  return `${label}. ${each.join(". ")}.`;
}
