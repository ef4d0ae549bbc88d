import { css } from "lit";
import { noticeStyles } from "../components/notice-styles.ts";
import { formStyles } from "../components/form-styles.ts";

const jobParts = css`
  main > header + purser-section {
    margin-top: 0;
  }
  .title p {
    max-width: 80ch;
    margin-top: 4px;
  }
  .job-progress {
    display: block;
    width: 100%;
    height: 6px;
    margin-top: 10px;
    overflow: hidden;
    border-radius: 3px;
    outline: 1px solid var(--vscode-contrastBorder, transparent);
  }
  .job-progress .track {
    fill: var(--vscode-list-inactiveSelectionBackground, var(--vscode-widget-border, transparent));
  }
  .job-progress .ended,
  .job-progress .stripe {
    fill: var(--vscode-progressBar-background);
  }
  .state-line {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
    margin-top: 3px;
  }
  .with-icon:is(.done, .passed, .good) .icon {
    color: var(--vscode-charts-green);
  }
  .with-icon:is(.failed, .limit, .bad) .icon {
    color: var(--vscode-testing-iconFailed, var(--vscode-errorForeground));
  }
  .with-icon:is(.paused, .interrupted, .environment, .doubt) .icon {
    color: var(--vscode-list-warningForeground, var(--vscode-charts-yellow));
  }
  .with-icon.running .icon {
    animation: turn 2s linear infinite;
  }
  @keyframes turn {
    to {
      transform: rotate(360deg);
    }
  }
  input[type="checkbox"]:focus-visible {
    outline-offset: 1px;
  }
  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0;
    color: var(--vscode-descriptionForeground);
  }
  .tasks {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr));
    gap: 4px 16px;
    margin-top: 6px;
  }
  .box {
    display: flex;
    gap: 8px;
    align-items: flex-start;
    min-width: 0;
    padding: 2px 0;
    overflow-wrap: anywhere;
  }
  .form .facts {
    margin-top: 0;
  }
  .beside {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
    color: var(--vscode-descriptionForeground);
  }
  .sides {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 24px 32px;
    align-items: start;
  }
  .sides.two {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  .sides.two .one .number {
    font-size: 1.7em;
  }
  .paths li {
    padding: 2px 0;
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.95em;
    overflow-wrap: anywhere;
  }
  pre {
    max-height: 360px;
    margin: 8px 0 0;
    padding: 10px;
    overflow: auto;
    border-radius: 4px;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    background: var(--vscode-textCodeBlock-background);
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 0.95em;
  }
  @media (max-width: 720px) {
    .sides.two {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .with-icon.running .icon {
      animation: none;
    }
  }
`;

/** Styles of job pages: the form, the state, and the results. Compare uses them too. */
export const jobStyles = [formStyles, noticeStyles, jobParts];
