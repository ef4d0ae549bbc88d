import { css } from "lit";
import { figureStyles } from "../components/figure-styles.ts";
import { noticeStyles } from "../components/notice-styles.ts";

const guardParts = css`
  code {
    font-family: var(--vscode-editor-font-family, monospace);
    overflow-wrap: anywhere;
  }
  .modes {
    display: grid;
    gap: 2px;
    max-width: 90ch;
    margin-bottom: 10px;
    color: var(--vscode-descriptionForeground);
  }
  .modes div {
    display: grid;
    grid-template-columns: 12ch minmax(0, 1fr);
    gap: 0 12px;
  }
  .fired {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
  }
  .fired li {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: 6px 16px;
    padding: 8px 4px;
    border-top: 1px solid var(--vscode-panel-border, var(--vscode-widget-border));
  }
  .fired li:first-child {
    border-top: 0;
  }
  .call {
    display: grid;
    flex: 1 1 min(100%, 320px);
    gap: 1px;
    min-width: 0;
  }
  .call p {
    overflow-wrap: anywhere;
  }
  .deed {
    display: inline-block;
    max-width: 100%;
    padding: 0 5px;
    border: 1px solid var(--vscode-widget-border, var(--vscode-panel-border, currentColor));
    border-radius: 8px;
    font-size: 0.85em;
  }
  .deed-stopped {
    border-color: var(--vscode-list-warningForeground, var(--vscode-charts-yellow));
  }
  .split {
    display: inline-flex;
    flex: none;
  }
  .split .button:first-child {
    border-start-end-radius: 0;
    border-end-end-radius: 0;
  }
  .split .more {
    margin-inline-start: 1px;
    padding-inline: 3px;
    border-start-start-radius: 0;
    border-end-start-radius: 0;
  }
  .choices,
  .fired .banner {
    flex: 1 1 100%;
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 12px;
    color: var(--vscode-descriptionForeground);
  }
  .choices label {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .choices p {
    flex: 1 1 100%;
  }
  input[type="search"] {
    min-height: 26px;
    width: 220px;
    max-width: 100%;
    padding: 2px 6px;
    border: 1px solid var(--vscode-input-border, var(--vscode-dropdown-border, transparent));
    border-radius: 4px;
    background: var(--vscode-input-background);
    color: var(--vscode-input-foreground);
    font: inherit;
  }
  input::placeholder {
    color: var(--vscode-input-placeholderForeground, var(--vscode-descriptionForeground));
    opacity: 1;
  }
  .examples,
  .entries {
    display: grid;
    gap: 6px;
    max-width: 100ch;
  }
  .entries li {
    overflow-wrap: anywhere;
  }
  .prose {
    max-width: 90ch;
    margin-block: 6px;
  }
  .links {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 18px;
    margin-top: 10px;
  }
`;

/** Styles of the Guard panel: its figures, modes, and the list of hits. */
export const guardStyles = [figureStyles, noticeStyles, guardParts];
