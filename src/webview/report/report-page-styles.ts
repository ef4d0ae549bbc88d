import { css } from "lit";
import { figureStyles } from "../components/figure-styles.ts";

const reportParts = css`
  .cards dd {
    font-size: 1.25em;
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

/** Styles of the report: its figures, and lists of entries. */
export const statusStyles = [figureStyles, reportParts];
