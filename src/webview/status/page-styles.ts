import { css } from "lit";

export const statusStyles = css`
  .cards {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 150px), 1fr));
    gap: 8px 20px;
    max-width: 760px;
    margin-top: 12px;
  }
  .cards dt {
    color: var(--vscode-descriptionForeground);
  }
  .cards dd {
    font-size: 1.25em;
  }
  .narrow {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-width: 0;
    color: var(--vscode-descriptionForeground);
  }
  .narrow select {
    max-width: 220px;
  }
  .caption {
    margin-bottom: 6px;
  }
  purser-table + .entries {
    margin-top: 12px;
  }
  .entries {
    display: grid;
    gap: 12px;
    max-width: 90ch;
  }
  .entries li {
    display: grid;
    gap: 1px;
    padding-inline-start: 10px;
    border-inline-start: 2px solid
      var(--vscode-textBlockQuote-border, var(--vscode-widget-border, currentColor));
    overflow-wrap: anywhere;
  }
`;
