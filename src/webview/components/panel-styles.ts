import { css } from "lit";

/** A panel's page: its width, its title with the actions at the right, the line at the top while an answer is awaited, and its figures. */
export const panelStyles = css`
  :host {
    display: block;
    max-width: 1100px;
    margin: 0 auto;
    padding: 16px 0 48px;
    overflow-wrap: break-word;
  }
  main {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 24px;
  }
  .progress {
    position: fixed;
    z-index: 1;
    inset: 0 0 auto;
    height: 2px;
    overflow: hidden;
    animation: appear 0s 200ms both;
  }
  .progress::before {
    content: "";
    display: block;
    width: 20%;
    height: 100%;
    background: var(--vscode-progressBar-background);
    animation: pass 2.4s linear infinite;
  }
  @keyframes pass {
    from {
      transform: translateX(-100%);
    }
    to {
      transform: translateX(600%);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .progress::before {
      width: 100%;
      animation: none;
    }
  }
  .top {
    display: grid;
    gap: 12px;
  }
  .title {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: 8px 16px;
  }
  .title > div:first-child {
    flex: 1 1 260px;
    min-width: 0;
  }
  .title h1 {
    overflow-wrap: anywhere;
  }
  .title h1:focus-visible {
    outline: none;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .back {
    margin: 0 0 4px -5px;
  }
  .segments {
    display: inline-flex;
    overflow: hidden;
    border: 1px solid var(--vscode-dropdown-border, var(--vscode-contrastBorder, transparent));
    border-radius: 4px;
  }
  .segments.end {
    margin-inline-start: auto;
  }
  .segments button {
    min-height: 24px;
    padding: 2px 10px;
    border: 0;
    border-radius: 0;
    background: var(--vscode-dropdown-background);
    color: var(--vscode-dropdown-foreground);
  }
  .segments button + button {
    border-inline-start: 1px solid var(--vscode-dropdown-border, var(--vscode-contrastBorder, transparent));
  }
  .segments button:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .segments button[aria-pressed="true"] {
    background: var(--vscode-inputOption-activeBackground, var(--vscode-list-activeSelectionBackground));
    color: var(--vscode-inputOption-activeForeground, var(--vscode-foreground));
    outline: 1px solid var(--vscode-contrastActiveBorder, var(--vscode-inputOption-activeBorder, transparent));
    outline-offset: -1px;
  }
  .segments button:focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -2px;
  }
  .totals {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 2px;
  }
  .one {
    color: var(--vscode-descriptionForeground);
  }
  .one .number {
    color: var(--vscode-foreground);
    font-size: 2.3em;
    font-weight: 400;
    line-height: 1.2;
  }
  .facts dt {
    color: var(--vscode-descriptionForeground);
  }
  .facts {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 2px 18px;
    margin-top: 10px;
  }
  .facts dd {
    overflow-wrap: anywhere;
  }
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
  article {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 20px;
    min-width: 0;
  }
  details summary {
    cursor: pointer;
    color: var(--vscode-textLink-foreground);
  }
  .nothing {
    margin-top: 6px;
  }
`;

/** A list of warnings, each after its sign. */
export const warningStyles = css`
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
`;
