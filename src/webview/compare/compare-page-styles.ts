import { css } from "lit";

/** Styles only of comparisons: the verdict's sentence, and rows of dots with intervals. */
export const compareStyles = css`
  .verdict {
    display: grid;
    gap: 4px;
    padding-inline-start: 14px;
    border-inline-start: 3px solid var(--vscode-descriptionForeground);
  }
  .verdict.good {
    border-color: var(--vscode-charts-green);
  }
  .verdict.bad {
    border-color: var(--vscode-testing-iconFailed, var(--vscode-errorForeground));
  }
  .verdict.doubt {
    border-color: var(--vscode-list-warningForeground, var(--vscode-charts-yellow));
  }
  .sentence {
    max-width: 78ch;
    font-size: 1.3em;
    line-height: 1.35;
    text-wrap: pretty;
  }
  .verdict .quiet {
    max-width: 90ch;
  }
  .flag {
    padding: 0 5px;
    border: 1px solid var(--vscode-testing-iconFailed, var(--vscode-errorForeground));
    border-radius: 3px;
    font-size: 0.85em;
    white-space: nowrap;
  }
  .facts pre {
    white-space: pre-wrap;
  }
`;
