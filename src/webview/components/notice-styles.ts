import { css } from "lit";

/** Styles of elements beside figures: warnings, progress bars, and expandable details. */
export const noticeStyles = css`
  .warnings {
    display: grid;
    gap: 4px;
  }
  .warnings li {
    display: flex;
    gap: 8px;
    max-width: 90ch;
  }
  .sign {
    flex: none;
    margin-top: 1px;
    color: var(--vscode-list-warningForeground, var(--vscode-charts-yellow));
  }
  progress {
    width: 100%;
    height: 4px;
    border: 0;
    border-radius: 2px;
    appearance: none;
    background: transparent;
    outline: 1px solid var(--vscode-widget-border, var(--vscode-panel-border));
  }
  progress::-webkit-progress-bar {
    background: transparent;
  }
  progress::-webkit-progress-value {
    border-radius: 2px;
    background: var(--vscode-progressBar-background);
  }
  details summary {
    cursor: pointer;
    color: var(--vscode-textLink-foreground);
  }
`;
