import { css } from "lit";
import { warningStyles } from "../components/panel-styles.ts";

const ledgerParts = css`
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
    gap: 8px;
    margin-bottom: 6px;
  }
`;

/** The overview and the sessions: filters, freshness, and what stood out. */
export const ledgerStyles = [warningStyles, ledgerParts];
