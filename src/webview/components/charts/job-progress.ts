import { html, svg, type TemplateResult } from "lit";
import { t } from "../../../engine/base/language.ts";

interface JobProgress {
  readonly done: number;
  /** Runs under way. */
  readonly live: number;
  readonly of: number;
  readonly label: string;
}

/** A bar of the runs that ended, and in stripes of those under way. */
export function jobProgress({ done, live, of, label }: JobProgress): TemplateResult {
  const percent = (count: number) => `${((Math.min(count, of) / of) * 100).toFixed(2)}%`;
  const underWay = Math.max(0, Math.min(live, of - done));
  return html`<svg
    class="job-progress"
    role="progressbar"
    aria-label=${underWay === 0 ? label : t("{0}; {1} under way", label, underWay)}
    aria-valuemin="0"
    aria-valuemax=${of}
    aria-valuenow=${done}
  >
    ${svg`<defs>
        <pattern id="stripes" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="stripe" width="4" height="8" />
        </pattern>
      </defs>
      <rect class="track" width="100%" height="6" rx="3" />
      <rect class="ended" width=${percent(done)} height="6" rx="3" />
      <rect class="live" x=${percent(done)} width=${percent(underWay)} height="6" fill="url(#stripes)" />`}
  </svg>`;
}
