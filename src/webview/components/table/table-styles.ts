import { css } from "lit";

/** Styles shared by all tables: a scrolling frame, and quiet headings above a line. */
export const frameStyles = css`
  .frame {
    max-width: 100%;
    overflow-x: auto;
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    font-weight: inherit;
    text-align: start;
  }
  thead th {
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-widget-border));
    color: var(--vscode-descriptionForeground);
    vertical-align: bottom;
  }
  .end {
    text-align: end;
    white-space: nowrap;
  }
`;

/** Styles of the sortable table: one line per row, with bars and dots where there is room. */
export const tableStyles = css`
  :host {
    display: block;
    min-width: 0;
    container-type: inline-size;
  }
  th,
  td {
    height: 26px;
    padding: 3px 12px;
    vertical-align: middle;
  }
  /* Chinese, and headings over figures in Japanese, may break anywhere: a narrow column would have one character a line. */
  :host(:lang(ja)) thead .end,
  :host(:lang(zh)) :is(th, td) {
    min-width: 4em;
  }
  .whole {
    white-space: nowrap;
  }
  thead .end button {
    word-break: normal;
  }
  @container (min-width: 720px) {
    thead .end button {
      word-break: auto-phrase;
    }
  }
  @container (max-width: 400px) {
    th,
    td {
      padding-inline: 6px;
    }
    td select {
      max-width: 16ch;
      text-overflow: ellipsis;
    }
  }
  th:first-child,
  td:first-child {
    padding-inline-start: 4px;
  }
  th:last-child,
  td:last-child {
    padding-inline-end: 4px;
  }
  thead button {
    max-width: 100%;
    padding: 0;
    border: 0;
    border-radius: 2px;
    text-align: inherit;
  }
  thead button:hover {
    color: var(--vscode-foreground);
  }
  .arrow {
    display: inline-block;
    width: 1em;
    margin-inline-end: -1em;
    text-align: center;
  }
  tbody tr:hover {
    background: var(--vscode-list-hoverBackground);
  }
  tbody tr:hover > :first-child {
    border-start-start-radius: 3px;
    border-end-start-radius: 3px;
  }
  tbody tr:hover > :last-child {
    border-start-end-radius: 3px;
    border-end-end-radius: 3px;
  }
  tbody th {
    min-width: 13ch;
    overflow-wrap: anywhere;
  }
  tbody th.end {
    min-width: 0;
  }
  thead .end {
    white-space: normal;
  }
  .share {
    display: flex;
    align-items: center;
    gap: 10px;
  }
  .share .number {
    flex: none;
    width: 5ch;
    text-align: end;
    white-space: nowrap;
  }
  .bar {
    flex: 1 1 60px;
    min-width: 60px;
    height: 8px;
  }
  .bar rect {
    fill: var(--vscode-charts-blue);
  }
  .bar .track {
    fill: var(--vscode-charts-lines, var(--vscode-descriptionForeground));
    opacity: 0.25;
  }
  .dots {
    flex: 1 1 90px;
    min-width: 90px;
    height: 16px;
    overflow: visible;
  }
  .dots circle {
    fill: var(--vscode-charts-blue);
  }
  .dots .whisker {
    stroke: var(--vscode-charts-blue);
    stroke-width: 2;
  }
  .dots .run1 {
    stroke: var(--vscode-foreground);
    stroke-dasharray: 3 3;
  }
  .with-icon {
    white-space: nowrap;
  }
  .about {
    display: block;
    max-width: 80ch;
  }
  .flag {
    padding: 0 5px;
    border: 1px solid var(--vscode-list-warningForeground, var(--vscode-charts-yellow));
    border-radius: 8px;
    font-size: 0.85em;
    white-space: nowrap;
  }
  td:has(.bar),
  td:has(.dots) {
    width: 30%;
  }
  .keep {
    white-space: nowrap;
  }
  td ul {
    margin-top: 4px;
  }
  summary {
    cursor: pointer;
  }
  .search {
    display: flex;
    gap: 10px;
    align-items: center;
    margin-bottom: 6px;
  }
  .search input {
    width: min(100%, 260px);
    min-height: 26px;
    padding: 2px 6px;
    border: 1px solid var(--vscode-input-border, var(--vscode-dropdown-border, transparent));
    border-radius: 4px;
    background: var(--vscode-input-background);
    color: var(--vscode-input-foreground);
    font: inherit;
  }
  .search input::placeholder {
    color: var(--vscode-input-placeholderForeground, var(--vscode-descriptionForeground));
    opacity: 1;
  }
  .spark {
    display: block;
    overflow: visible;
  }
  .spark .line {
    fill: none;
    stroke: var(--vscode-charts-blue);
    stroke-width: 1.5;
    stroke-linejoin: round;
  }
  .spark .end {
    fill: var(--vscode-charts-blue);
  }
  .spark .version {
    stroke: var(--vscode-descriptionForeground);
    stroke-dasharray: 2 2;
  }
  .more {
    margin: 6px 4px 0;
  }
  @container (max-width: 620px) {
    .extra,
    .bar,
    .dots {
      display: none;
    }
    td:has(.bar),
    td:has(.dots) {
      width: auto;
    }
    th,
    td {
      padding-inline: 8px;
    }
  }
`;
