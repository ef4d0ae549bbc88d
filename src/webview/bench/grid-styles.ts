import { css } from "lit";
import { frameStyles } from "../components/table/table-styles.ts";

/** Styles of the grid of runs by task, and of the timeline of a run. */
const gridParts = css`
  .frame {
    container-type: inline-size;
    /* Cuts off the text for screen readers, too. */
    position: relative;
  }
  th,
  td {
    padding: 3px 8px;
    vertical-align: top;
  }
  .grid td {
    vertical-align: middle;
  }
  th:first-child {
    padding-inline-start: 4px;
  }
  .grid {
    width: auto;
  }
  .grid tbody th {
    min-width: 16ch;
    max-width: 44ch;
    vertical-align: middle;
    overflow-wrap: anywhere;
  }
  .grid td.run {
    width: 156px;
    min-width: 96px;
    padding: 3px 4px;
  }
  .cell {
    display: grid;
    align-content: space-between;
    gap: 3px;
    width: 100%;
    min-width: 88px;
    height: 38px;
    padding: 3px 7px 5px;
    border: 1px solid var(--vscode-widget-border, var(--vscode-panel-border, transparent));
    border-radius: 4px;
    text-align: start;
  }
  button.cell:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .cell.waiting {
    border-style: dashed;
    opacity: 0.55;
  }
  .cell.live {
    border-color: var(--vscode-progressBar-background);
  }
  .cell.failed,
  .cell.limit {
    border-color: var(--vscode-testing-iconFailed, var(--vscode-errorForeground));
  }
  .cell.environment,
  .cell.cancelled {
    border-style: dashed;
    color: var(--vscode-descriptionForeground);
  }
  .what {
    display: flex;
    align-items: center;
    gap: 5px;
    min-width: 0;
    white-space: nowrap;
  }
  .what .quiet {
    overflow: hidden;
    text-overflow: ellipsis;
    font-size: 0.9em;
  }
  .what .icon {
    width: 14px;
    height: 14px;
  }
  .cell.passed .icon {
    color: var(--vscode-charts-green);
  }
  .cell.failed .icon,
  .cell.limit .icon {
    color: var(--vscode-testing-iconFailed, var(--vscode-errorForeground));
  }
  .cell.environment .icon {
    color: var(--vscode-list-warningForeground, var(--vscode-charts-yellow));
  }
  .bar {
    display: block;
    width: 100%;
    height: 8px;
  }
  .amount {
    fill: var(--vscode-charts-blue);
  }
  .cell.failed .amount,
  .cell.limit .amount {
    fill: var(--vscode-descriptionForeground);
    opacity: 0.6;
  }
  .cell.live .amount {
    animation: breathe 1.6s ease-in-out infinite alternate;
  }
  @keyframes breathe {
    to {
      opacity: 0.45;
    }
  }
  .run1 {
    stroke: var(--vscode-foreground);
    stroke-width: 1.5;
  }
  .timeline tbody tr {
    border-bottom: 1px solid var(--vscode-editorWidget-border, var(--vscode-widget-border, transparent));
  }
  .timeline tbody tr:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .timeline td,
  .timeline th {
    padding-block: 5px;
  }
  .timeline tbody td:nth-child(2) {
    width: 100%;
    overflow-wrap: anywhere;
  }
  .timeline .bar {
    width: 84px;
    height: 3px;
    margin: 3px 0 0 auto;
  }
  .timeline li {
    padding: 0 0 1px;
  }
  .timeline li .with-icon {
    margin-inline-end: 4px;
    vertical-align: -3px;
  }
  .timeline li.failed .icon {
    color: var(--vscode-errorForeground);
  }
  .tool-name {
    font-weight: 600;
  }
  .target {
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.95em;
  }
  .said {
    color: var(--vscode-descriptionForeground);
  }
  .sidechain td:nth-child(2) {
    padding-inline-start: 20px;
  }
  @container (max-width: 620px) {
    .grid tbody th {
      min-width: 11ch;
    }
    .grid td.run {
      min-width: 0;
      padding-inline: 2px;
    }
    .cell {
      min-width: 62px;
      padding-inline: 5px;
    }
    .what .quiet,
    .timeline .bar {
      display: none;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .cell.live .amount {
      animation: none;
    }
  }
`;

export const gridStyles = [frameStyles, gridParts];
