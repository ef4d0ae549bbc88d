import { css } from "lit";

/**
 * Uses the theme's own colours. Red is left out, because it signals an error, and so is the charts' orange, which is
 * nearly transparent in some themes and missing in others.
 */
export const chartStyles = css`
  :host {
    display: block;
    min-width: 0;
  }
  .legend {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 200px), max-content));
    gap: 2px 28px;
    margin-bottom: 8px;
  }
  .legend > div {
    display: flex;
    align-items: center;
    gap: 7px;
    min-width: 0;
  }
  .legend dt {
    display: flex;
    align-items: center;
    gap: 7px;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .legend dd {
    margin-inline-start: 4px;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .legend .lead {
    grid-column: 1 / -1;
    gap: 10px;
  }
  .legend .lead dd {
    margin-inline-start: 0;
    font-weight: 600;
  }
  .legend .lead dt {
    color: var(--vscode-descriptionForeground);
    white-space: normal;
  }
  .name {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .swatch {
    flex: none;
    width: 10px;
    height: 10px;
    border-radius: 2px;
  }
  .plot {
    position: relative;
    border-radius: 2px;
    touch-action: pan-y;
  }
  .plot:focus-visible {
    outline-offset: 3px;
  }
  .plot svg {
    display: block;
    width: 100%;
    overflow: visible;
  }
  text {
    fill: var(--vscode-descriptionForeground);
    font-size: 0.85em;
    font-variant-numeric: tabular-nums;
  }
  .grid {
    stroke: var(--vscode-charts-lines, var(--vscode-descriptionForeground));
    stroke-width: 1;
    opacity: 0.3;
  }
  .axis {
    stroke: var(--vscode-charts-lines, var(--vscode-descriptionForeground));
  }
  .column {
    fill: var(--vscode-list-hoverBackground);
    stroke: var(--vscode-contrastActiveBorder, none);
    stroke-dasharray: 3 2;
  }
  .cursor {
    stroke: var(--vscode-foreground);
  }
  .dot {
    fill: var(--vscode-foreground);
    stroke: var(--vscode-editor-background);
    stroke-width: 1.5;
  }
  .level,
  .mark {
    stroke: var(--vscode-foreground);
    stroke-width: 1;
    stroke-dasharray: 3 3;
    opacity: 0.75;
  }
  .note {
    stroke: var(--vscode-foreground);
    stroke-width: 1;
    stroke-dasharray: 1 3;
    opacity: 0.8;
  }
  .zone.doubt {
    fill: var(--vscode-charts-yellow);
    opacity: 0.1;
  }
  .zone.bad {
    fill: var(--vscode-charts-red, var(--vscode-errorForeground));
    opacity: 0.12;
  }
  .zone-name,
  .level-name,
  .last {
    paint-order: stroke;
    stroke: var(--vscode-editor-background);
    stroke-width: 3px;
    stroke-linejoin: round;
  }
  .last {
    fill: var(--vscode-foreground);
    font-weight: 600;
  }
  .value {
    fill: var(--vscode-charts-blue);
  }
  .whisker,
  .trend {
    fill: none;
    stroke: var(--vscode-charts-blue);
    stroke-width: 1.5;
  }
  .trend {
    stroke-width: 1;
    opacity: 0.5;
  }
  .ring {
    fill: none;
    stroke: var(--vscode-foreground);
    stroke-width: 1.5;
  }
  .band {
    stroke: var(--vscode-editor-background);
    stroke-width: 0.75;
    stroke-linejoin: round;
  }
  .tone-0 {
    --tone: var(--vscode-charts-blue);
  }
  .tone-1 {
    --tone: var(--vscode-charts-green);
  }
  .tone-2 {
    --tone: var(--vscode-charts-purple);
  }
  .tone-3 {
    --tone: var(--vscode-charts-yellow);
  }
  .tone-4 {
    --tone: var(--vscode-terminal-ansiCyan);
  }
  .tone-other {
    --tone: var(--vscode-disabledForeground, var(--vscode-descriptionForeground));
  }
  .fill {
    fill: var(--tone);
  }
  .swatch {
    background: var(--tone);
  }
`;
