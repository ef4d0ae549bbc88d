import { css } from "lit";

/** The page around its tables. */
export const jobStyles = css`
  main > header + purser-section {
    margin-top: 0;
  }
  .title p {
    max-width: 80ch;
    margin-top: 4px;
  }
  .with-icon {
    display: inline-flex;
    align-items: center;
    gap: 5px;
  }
  .state-line {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
    margin-top: 3px;
  }
  .with-icon.done .icon,
  .with-icon.passed .icon {
    color: var(--vscode-testing-iconPassed, var(--vscode-charts-green));
  }
  .with-icon.failed .icon,
  .with-icon.limit .icon {
    color: var(--vscode-testing-iconFailed, var(--vscode-errorForeground));
  }
  .with-icon.paused .icon,
  .with-icon.interrupted .icon,
  .with-icon.environment .icon {
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
  .top > progress {
    width: 100%;
    height: 4px;
    border: 0;
    border-radius: 2px;
    appearance: none;
    background: transparent;
    outline: 1px solid var(--vscode-widget-border, var(--vscode-panel-border));
  }
  .top > progress::-webkit-progress-bar {
    background: transparent;
  }
  .top > progress::-webkit-progress-value {
    border-radius: 2px;
    background: var(--vscode-progressBar-background);
  }
  .form {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 14px;
  }
  .fields {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 210px), 1fr));
    gap: 10px 16px;
  }
  .fields label {
    display: grid;
    gap: 4px;
    align-content: start;
    min-width: 0;
  }
  .fields label > span {
    color: var(--vscode-descriptionForeground);
  }
  .fields select {
    width: 100%;
    text-overflow: ellipsis;
  }
  input[type="text"],
  input[type="number"] {
    min-height: 26px;
    width: 100%;
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
  input[type="checkbox"] {
    flex: none;
    width: 16px;
    height: 16px;
    margin: 1px 0 0;
    accent-color: var(--vscode-button-background);
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
  article {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 20px;
    min-width: 0;
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
  details summary {
    cursor: pointer;
    color: var(--vscode-textLink-foreground);
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
