import { css } from "lit";

/** Styles of forms that plan runs: fields side by side, and their inputs. */
export const formStyles = css`
  .form,
  .decides {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 14px;
  }
  .form ol {
    margin: 0;
    padding-inline-start: 22px;
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
`;
