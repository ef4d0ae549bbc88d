import { css } from "lit";
import { figureStyles } from "../components/figure-styles.ts";
import { noticeStyles } from "../components/notice-styles.ts";

const ledgerParts = css`
  /* In little room there are two rows: each segment draws the lines around it, in the gaps. */
  .segments {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 1px;
    overflow: hidden;
    border: 1px solid var(--vscode-dropdown-border, var(--vscode-contrastBorder, transparent));
    border-radius: 4px;
  }
  .segments.end {
    margin-inline-start: auto;
  }
  .segments button {
    flex: 1 0 auto;
    min-height: 24px;
    padding: 2px 10px;
    border: 0;
    box-shadow: 0 0 0 1px var(--vscode-dropdown-border, var(--vscode-contrastBorder, transparent));
    border-radius: 0;
    background: var(--vscode-dropdown-background);
    color: var(--vscode-dropdown-foreground);
  }
  .segments button:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .segments button[aria-pressed="true"] {
    background: var(--vscode-inputOption-activeBackground, var(--vscode-list-activeSelectionBackground));
    color: var(--vscode-inputOption-activeForeground, var(--vscode-foreground));
    outline: 1px solid var(--vscode-contrastActiveBorder, var(--vscode-inputOption-activeBorder, transparent));
    outline-offset: -1px;
  }
  .segments button:focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -2px;
  }
  .freshness {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 10px;
  }
  .freshness progress {
    width: 80px;
    background: var(--vscode-list-inactiveSelectionBackground, var(--vscode-list-hoverBackground));
    outline: 1px solid var(--vscode-contrastBorder, transparent);
  }
  .measure {
    display: inline-flex;
    align-items: center;
    gap: 8px;
  }
  .measure progress {
    flex: none;
    width: 100px;
  }
  .work dd {
    overflow-wrap: anywhere;
  }
  .compaction {
    margin-bottom: 6px;
  }
  .sides {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 260px), 1fr));
    gap: 12px 28px;
    padding: 8px 0 10px;
  }
  .sides header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 4px 10px;
    min-height: 28px;
  }
  .sides h3 {
    margin: 0;
    font-size: 1em;
    font-weight: 600;
    line-height: 28px;
  }
  .sides section > ul {
    display: grid;
    gap: 4px;
    padding: 0;
  }
  .sides li {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: 12px;
    padding: 2px 0;
    border-top: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
  }
  .sides .text {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .sides .fate {
    flex: none;
  }
  details ul {
    padding: 4px 0 0 14px;
  }
  details li {
    overflow-wrap: anywhere;
  }
  .filters {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 14px;
  }
  .dates {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 6px 10px;
  }
  @media (max-width: 620px) {
    .segments.end {
      margin-inline-start: 0;
    }
  }
  .kinds {
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 140px), 1fr));
    max-width: 720px;
  }
  .key {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 18px;
    margin-top: 6px;
  }
  .dash,
  .dotted {
    width: 14px;
    height: 14px;
  }
  .dash line,
  .dotted line {
    stroke: var(--vscode-foreground);
    stroke-dasharray: 3 3;
  }
  .dotted line {
    stroke-dasharray: 1 3;
  }
  purser-table + p {
    margin-top: 8px;
  }
  .anomalies {
    gap: 8px;
    margin-bottom: 6px;
  }
`;

/** Styles of the Ledger: filters, freshness, and anomalies. */
export const ledgerStyles = [figureStyles, noticeStyles, ledgerParts];
