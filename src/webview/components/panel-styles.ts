import { css } from "lit";

/**
 * Styles of a panel's page: the width, the title with its buttons, the progress line at the top, and the main figure.
 */
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
  .title > .whole {
    flex: 1 0 100%;
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
  article {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 20px;
    min-width: 0;
  }
  .nothing {
    margin-top: 6px;
  }
`;
