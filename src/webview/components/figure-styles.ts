import { css } from "lit";

/** Styles of pages with many figures: cards side by side, and filters. */
export const figureStyles = css`
  .cards {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 120px), 1fr));
    gap: 8px 20px;
    max-width: 760px;
    margin-top: 12px;
  }
  .cards dt {
    color: var(--vscode-descriptionForeground);
  }
  .filter {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-width: 0;
    color: var(--vscode-descriptionForeground);
  }
  .filter select {
    max-width: 220px;
  }
`;
