import { css } from "lit";

export const differenceStyles = css`
  .forest {
    display: grid;
    grid-template-columns: minmax(8ch, max-content) minmax(0, 1fr) max-content;
    column-gap: 16px;
  }
  .forest .row {
    display: grid;
    grid-column: 1 / -1;
    grid-template-columns: subgrid;
    align-items: center;
    min-height: 26px;
  }
  .forest .row.whole {
    font-weight: 600;
  }
  .forest .row.whole:not(:first-child) {
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-widget-border, transparent));
  }
  .forest .name {
    max-width: 38ch;
    padding-block: 3px;
    overflow-wrap: anywhere;
  }
  .forest .figure {
    text-align: end;
  }
  .forest .why {
    font-weight: 400;
  }
  .forest svg {
    display: block;
    width: 100%;
    overflow: visible;
  }
  .forest .strip {
    height: 26px;
  }
  .forest .zero {
    stroke: var(--vscode-descriptionForeground);
    stroke-dasharray: 2 3;
  }
  .forest .whisker {
    stroke: var(--vscode-charts-blue);
    stroke-width: 1.5;
  }
  .forest circle {
    fill: var(--vscode-charts-blue);
  }
  .forest .whole .whisker {
    stroke: var(--vscode-foreground);
    stroke-width: 2;
  }
  .forest .whole circle {
    fill: var(--vscode-foreground);
  }
  .forest .axis {
    min-height: 0;
  }
  .forest .ticks {
    height: 20px;
    border-top: 1px solid var(--vscode-descriptionForeground);
  }
  .forest .ticks line {
    stroke: var(--vscode-descriptionForeground);
  }
  .forest .ticks text {
    fill: var(--vscode-descriptionForeground);
    font-size: 0.85em;
    font-variant-numeric: tabular-nums;
  }
  .forest .ends {
    min-height: 0;
    font-size: 0.9em;
  }
  .forest .between {
    display: flex;
    justify-content: space-between;
    gap: 8px;
  }
  @media (max-width: 620px) {
    .forest {
      grid-template-columns: minmax(0, 1fr) max-content;
    }
    .forest .row > .name {
      grid-column: 1 / -1;
      max-width: none;
      padding-bottom: 0;
    }
    .forest .axis > span,
    .forest .ends > span:not(.between) {
      display: none;
    }
  }
`;
