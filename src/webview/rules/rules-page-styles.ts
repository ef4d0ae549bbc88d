import { css } from "lit";
import { formStyles } from "../components/form-styles.ts";

const ruleParts = css`
  .with-icon {
    gap: 6px;
  }
  article {
    align-content: start;
  }
  .scope {
    color: var(--vscode-descriptionForeground);
    font-weight: 400;
  }
  kbd {
    padding: 0 4px;
    border: 1px solid currentColor;
    border-radius: 3px;
    font-family: var(--vscode-editor-font-family);
    font-size: 0.82em;
    line-height: 1.3;
  }
  .writing {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
  }
  .writing label {
    flex: 1 0 100%;
  }
  .writing input {
    flex: 1 1 24ch;
    border-color: var(--vscode-input-border, var(--vscode-contrastBorder, transparent));
  }
  .facts {
    margin-top: 0;
  }
  .turns,
  .steps {
    display: grid;
    gap: 3px;
    margin: 4px 0 0;
    padding: 0;
    list-style: none;
  }
  .turns li,
  .steps li {
    overflow-wrap: anywhere;
  }
  .plot {
    display: block;
    width: 100%;
    max-width: 720px;
    margin: 6px 0;
    overflow: visible;
  }
  .plot text {
    fill: var(--vscode-descriptionForeground);
    font-size: 11px;
    font-variant-numeric: tabular-nums;
  }
  .plot-frame {
    container-type: inline-size;
  }
  /* The drawing is scaled to its frame, its text has about the same size in each. */
  @container (max-width: 560px) {
    .plot text {
      font-size: 14px;
    }
  }
  @container (max-width: 440px) {
    .plot text {
      font-size: 17px;
    }
  }
  @container (max-width: 360px) {
    .plot text {
      font-size: 20px;
    }
  }
  purser-section .banner {
    margin-bottom: 8px;
  }
  .plot .axis,
  .plot .zero {
    stroke: var(--vscode-editorRuler-foreground, var(--vscode-widget-border, currentColor));
  }
  .plot .bar {
    stroke: var(--vscode-foreground);
    stroke-width: 1.5;
    stroke-dasharray: 4 3;
  }
  .plot .pair {
    fill: var(--vscode-charts-blue);
    fill-opacity: 0.55;
  }
  .plot .interval {
    fill: none;
    stroke: var(--vscode-foreground);
    stroke-width: 1.5;
  }
  .plot .mean {
    fill: var(--vscode-foreground);
  }
  .fields {
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 210px), 260px));
  }
  .check {
    display: flex;
    gap: 8px;
  }
  .warnings {
    display: grid;
    gap: 4px;
    margin: 6px 0 0;
    padding: 0;
    list-style: none;
  }
  .state-line {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 12px;
    align-items: center;
  }
  .strong {
    font-weight: 600;
  }
  .measured {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 14px;
    margin: 10px 0 0;
    padding: 0;
    list-style: none;
  }
  .measured li {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 4px;
  }
  .measured p {
    margin: 0;
  }
  .measured .with-icon {
    align-items: flex-start;
  }
  .measured .with-icon .icon {
    flex: none;
    margin-top: 2px;
  }
  .state-line ~ p,
  .state-line ~ .banner {
    margin-top: 8px;
  }
  .learned {
    display: grid;
    gap: 14px;
  }
  .learned .buttons,
  .learned .writing {
    margin-top: 6px;
  }
  .diff {
    margin: 6px 0 0;
    padding: 6px 0;
    border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
    border-radius: 4px;
    font-family: var(--vscode-editor-font-family);
    font-size: var(--vscode-editor-font-size);
    list-style: none;
  }
  .diff li {
    display: grid;
    grid-template-columns: 2ch minmax(0, 1fr);
    padding: 0 10px;
    overflow-wrap: anywhere;
  }
  .diff .added {
    background: var(--vscode-diffEditor-insertedTextBackground);
  }
  .diff .removed {
    background: var(--vscode-diffEditor-removedTextBackground);
  }
`;

/** Styles of the chosen entry: a rule, a memory, or a selection. */
export const ruleStyles = [formStyles, ruleParts];
