import { css } from "lit";

/** Styles shared by all components: the editor's own font, colours and focus ring, and nothing of our own. */
export const shared = css`
  :host {
    color: var(--vscode-foreground);
    font-family: var(--vscode-font-family);
    font-size: var(--vscode-font-size);
    line-height: 1.4;
  }
  :host,
  * {
    box-sizing: border-box;
  }
  /* Breaks short Japanese texts between phrases, not between any two characters. */
  :is(h1, h2, h3, p, dt, th, td, button, label) {
    word-break: auto-phrase;
  }
  [hidden] {
    display: none !important;
  }
  h1,
  h2,
  p,
  ul,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  h1 {
    font-size: 1.55em;
    font-weight: 600;
    line-height: 1.25;
  }
  h2 {
    font-size: 1.08em;
    font-weight: 600;
  }
  ul {
    list-style: none;
  }
  :focus {
    outline: none;
  }
  :focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: 1px;
  }
  .quiet {
    color: var(--vscode-descriptionForeground);
  }
  .number {
    font-variant-numeric: tabular-nums;
  }
  .hidden-text {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .icon {
    display: block;
    flex: none;
    width: 16px;
    height: 16px;
  }
  .with-icon {
    display: inline-flex;
    align-items: center;
    gap: 5px;
  }
`;

export const controls = css`
  button {
    margin: 0;
    border: 1px solid transparent;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  button:disabled {
    cursor: default;
    opacity: 0.5;
  }
  .button {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-height: 26px;
    padding: 2px 10px;
    border-radius: 4px;
    border-color: var(--vscode-button-border, var(--vscode-contrastBorder, transparent));
    background: var(--vscode-button-secondaryBackground);
    color: var(--vscode-button-secondaryForeground);
    white-space: nowrap;
  }
  /* On one line, unless it alone is wider than the page. */
  .buttons > .button {
    flex: none;
    max-width: 100%;
    text-align: start;
    white-space: normal;
  }
  .button:hover:enabled {
    background: var(--vscode-button-secondaryHoverBackground);
  }
  .button.primary {
    background: var(--vscode-button-background);
    color: var(--vscode-button-foreground);
  }
  .button.primary:hover:enabled {
    background: var(--vscode-button-hoverBackground);
  }
  .tool {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    min-height: 24px;
    padding: 2px 5px;
    border-radius: 5px;
    color: var(--vscode-icon-foreground, var(--vscode-foreground));
    white-space: nowrap;
  }
  .tool:hover {
    background: var(--vscode-toolbar-hoverBackground);
    outline: 1px dashed var(--vscode-toolbar-hoverOutline, transparent);
  }
  .tool:focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
  }
  .link {
    padding: 0;
    border: 0;
    border-radius: 2px;
    color: var(--vscode-textLink-foreground);
    text-align: start;
    text-decoration: var(--text-link-decoration, none);
    overflow-wrap: anywhere;
  }
  .link:hover {
    color: var(--vscode-textLink-activeForeground);
    text-decoration: underline;
  }
  select,
  input[type="date"] {
    min-height: 26px;
    max-width: 100%;
    padding: 2px 6px;
    border: 1px solid var(--vscode-dropdown-border, var(--vscode-input-border, transparent));
    border-radius: 4px;
    background: var(--vscode-dropdown-background);
    color: var(--vscode-dropdown-foreground);
    font: inherit;
  }
  select:focus,
  input:focus {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }
`;
