import { nothing, svg, html, type TemplateResult } from "lit";
import { shortNumber, wholeNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import type { EvidenceView } from "../../engine/rules/rules-answers.ts";

/** Sizes in the drawing's own units. The page scales it to its width. */
const [width, height, left, right, axis, middle] = [640, 130, 12, 12, 104, 56];

/** Draws saved tokens: a dot for each pair of runs, a bar for the interval, and a line at the required saving. */
export function evidencePlot({ bar, saving, pairs }: EvidenceView): TemplateResult {
  const values = [
    0,
    bar,
    ...pairs.map(({ saved }) => saved),
    ...(saving === null ? [] : [saving.low, saving.high]),
  ];
  const scale = scaleOf(values.filter(Number.isFinite));
  const place = (value: number) =>
    left + ((clamp(value, scale) - scale.low) / (scale.high - scale.low)) * (width - left - right);
  const label =
    saving === null
      ? t("Tokens saved in {0} pairs of runs. Too few to say what it saves.", pairs.length)
      : t(
          "Tokens saved in {0} pairs of runs. It saves {1}, from {2} to {3}; {4} are needed.",
          pairs.length,
          wholeNumber(saving.value),
          wholeNumber(saving.low),
          wholeNumber(saving.high),
          wholeNumber(bar),
        );
  const needed = t("needed {0}", wholeNumber(bar));
  return html`<div class="evidence">
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
      <line class="axis" x1=${left} x2=${width - right} y1=${axis} y2=${axis} />
      ${ticksOf(scale).map(
        (
          value,
        ) => svg`<text x=${place(value)} y=${axis + 16} text-anchor=${anchorOf(place(value))}>${signed(value)}</text>
        <line class="axis" x1=${place(value)} x2=${place(value)} y1=${axis} y2=${axis + 4} />`,
      )}
      <line class="zero" x1=${place(0)} x2=${place(0)} y1="18" y2=${axis} />
      <line class="bar" x1=${place(bar)} x2=${place(bar)} y1="18" y2=${axis} />
      <text x=${place(bar)} y="12" text-anchor=${anchorOf(place(bar), pixelsOf(needed))}>${needed}</text>
      ${pairs.map(
        (
          { saved, taskId, round },
          index,
        ) => svg`<circle class="pair" cx=${place(saved)} cy=${middle - 14 + (index % 5) * 7} r="3.5">
        <title>${t("{0}, round {1}: {2}", taskId, round, signed(saved))}</title></circle>`,
      )}
      ${
        saving === null
          ? nothing
          : svg`<path class="interval" d="M${place(saving.low)} ${axis - 10}H${place(saving.high)}M${place(saving.low)} ${axis - 15}v10M${place(saving.high)} ${axis - 15}v10" />
        <circle class="mean" cx=${place(saving.value)} cy=${axis - 10} r="5" />`
      }
    </svg>
  </div>`;
}

interface Scale {
  readonly low: number;
  readonly high: number;
}

function scaleOf(values: readonly number[]): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(1, high - low) * 0.06;
  return { low: low - room, high: high + room };
}

/** Cuts off an infinite interval. */
function clamp(value: number, { low, high }: Scale): number {
  return Math.min(high, Math.max(low, value));
}

function ticksOf({ low, high }: Scale): number[] {
  const step = niceStep((high - low) / 4);
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
}

function signed(value: number): string {
  return value < 0 ? `-${shortNumber(-value)}` : shortNumber(value);
}

/** Returns the greatest width of a text. Letters that are as wide as high take twice as much. Pixels. */
function pixelsOf(text: string): number {
  return 7 * text.replaceAll(/[\u1100-\uffe6]/gu, "mm").length;
}

/** @param length the text's, at most; pixels */
function anchorOf(x: number, length = 100): "start" | "middle" | "end" {
  const half = Math.max(50, length / 2);
  return x < half ? "start" : x > width - half ? "end" : "middle";
}
