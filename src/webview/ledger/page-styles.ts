import { css } from "lit";

export const ledgerStyles = css`
  .freshness {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 10px;
  }
  .freshness progress {
    width: 80px;
    height: 4px;
    border: 0;
    border-radius: 2px;
    appearance: none;
    background: var(--vscode-list-inactiveSelectionBackground, var(--vscode-list-hoverBackground));
    outline: 1px solid var(--vscode-contrastBorder, transparent);
  }
  .freshness progress::-webkit-progress-bar {
    background: transparent;
  }
  .freshness progress::-webkit-progress-value {
    border-radius: 2px;
    background: var(--vscode-progressBar-background);
  }
  details summary {
    cursor: pointer;
    color: var(--vscode-textLink-foreground);
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
  .filters label {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-width: 0;
    color: var(--vscode-descriptionForeground);
  }
  .filters select {
    max-width: 220px;
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
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 140px), 1fr));
    gap: 8px 20px;
    max-width: 720px;
    margin-top: 12px;
  }
  .kinds dt {
    color: var(--vscode-descriptionForeground);
  }
  .key {
    display: flex;
    align-items: center;
    gap: 6px;
    margin-top: 6px;
  }
  .dash {
    width: 14px;
    height: 14px;
  }
  .dash line {
    stroke: var(--vscode-foreground);
    stroke-dasharray: 3 3;
  }
  .anomalies {
    display: grid;
    gap: 8px;
    margin-bottom: 6px;
  }
  .anomalies li {
    display: flex;
    gap: 8px;
    max-width: 90ch;
  }
  .sign {
    flex: none;
    margin-top: 1px;
    color: var(--vscode-list-warningForeground, var(--vscode-charts-yellow));
  }
`;
