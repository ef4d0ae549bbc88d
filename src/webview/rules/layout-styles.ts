import { css } from "lit";

/** Styles of the list and the chosen entry, which fill the panel and scroll separately. */
export const layoutStyles = css`
  :host {
    position: relative;
    height: calc(100vh - var(--purser-banner-height, 0px));
    padding: 16px 0 0;
    overflow: hidden;
  }
  main {
    display: flex;
    flex-direction: column;
    gap: 12px;
    height: 100%;
    overflow: auto;
  }
  main > * {
    flex: none;
  }
  .columns {
    display: grid;
    flex: 1 1 0;
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: minmax(0, 1fr);
    gap: 24px;
    min-height: 160px;
  }
  .side {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: auto minmax(0, 1fr);
    gap: 8px;
    min-width: 0;
  }
  .groups,
  .detail {
    min-width: 0;
    overflow: auto;
    padding: 0 2px 24px;
  }
  .detail > .back {
    margin-bottom: 8px;
  }
  h1:focus-visible {
    outline: none;
  }
  @media (min-width: 641px) {
    .columns {
      grid-template-columns: minmax(220px, 300px) minmax(0, 1fr);
    }
  }
  /* The rule to decide about stays visible while its evidence is read, if that leaves room to read. */
  @media (min-width: 641px) and (min-height: 560px) {
    .detail {
      scroll-padding-top: 180px;
    }
    .detail .top {
      position: sticky;
      z-index: 1;
      top: 0;
      padding-bottom: 12px;
      border-bottom: 1px solid var(--vscode-contrastBorder, transparent);
      background: var(--vscode-editor-background);
    }
  }
  .groups {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: 14px;
  }
  .groups h2 {
    margin-bottom: 4px;
  }
  .list-head {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 4px;
    align-items: center;
    padding-inline: 2px;
  }
  .list-head h1 {
    flex: 1 1 auto;
    font-size: 1.08em;
    font-weight: 600;
  }
  .legend {
    max-height: 50%;
    overflow: auto;
    padding: 8px 2px;
    border-top: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
  }
  .legend header {
    display: flex;
    justify-content: space-between;
    align-items: center;
  }
  .legend dl {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 280px), 1fr));
    gap: 3px 24px;
  }
  .legend div {
    display: grid;
    grid-template-columns: 10ch minmax(0, 1fr);
    gap: 8px;
  }
  .legend dd {
    color: var(--vscode-descriptionForeground);
  }
  .count {
    padding: 1px 6px;
    border-radius: 11px;
    background: var(--vscode-badge-background);
    color: var(--vscode-badge-foreground);
    font-size: 0.85em;
    font-weight: 400;
    border: 1px solid var(--vscode-contrastBorder, transparent);
  }
  .item {
    display: grid;
    gap: 1px;
    padding: 5px 8px;
    border-radius: 4px;
    overflow-wrap: anywhere;
    cursor: pointer;
  }
  .item[aria-checked] {
    grid-template-columns: 16px minmax(0, 1fr);
    column-gap: 7px;
  }
  .item[aria-checked] .facts-line {
    grid-column: 2;
  }
  .mark {
    width: 16px;
    height: 16px;
    margin-top: 1px;
    border: 1px solid var(--vscode-checkbox-border, var(--vscode-descriptionForeground));
    border-radius: 3px;
    background: var(--vscode-checkbox-background, transparent);
    color: var(--vscode-checkbox-foreground, var(--vscode-foreground));
  }
  .mark .icon {
    width: 14px;
    height: 14px;
  }
  .item[aria-checked="true"] .mark {
    border-color: var(--vscode-checkbox-selectBorder, var(--vscode-focusBorder));
  }
  .group-head {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    align-items: baseline;
    gap: 0 8px;
  }
  .group-head .tool {
    min-height: 0;
    padding-block: 0;
    color: var(--vscode-descriptionForeground);
  }
  .filters {
    display: flex;
    flex: 1 0 100%;
    flex-wrap: wrap;
    gap: 6px;
    align-items: center;
  }
  .filters .find {
    flex: 1 1 12ch;
    min-width: 0;
    width: auto;
  }
  .filters .filter {
    display: flex;
    flex: 0 1 auto;
    gap: 6px;
    align-items: center;
    min-width: 0;
  }
  .filters select {
    min-width: 0;
  }
  .filters .found {
    flex: 1 0 100%;
  }
  .item:hover {
    background: var(--vscode-list-hoverBackground);
    outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  .item[aria-selected="true"] {
    background: var(--vscode-list-inactiveSelectionBackground);
    color: var(--vscode-list-inactiveSelectionForeground, var(--vscode-foreground));
    outline: 1px solid var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  .item[aria-selected="true"] .quiet {
    color: inherit;
  }
  .item:focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: -1px;
  }
  .item .words {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .facts-line {
    font-size: 0.92em;
  }
  .marked {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 12px;
    align-items: center;
    max-height: 60%;
    padding: 8px 2px;
    overflow: auto;
    border-top: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
  }
  .marked .writing {
    flex: 1 1 100%;
  }
  .marked .turns {
    flex: 1 0 100%;
    margin: 0;
  }
  .decided {
    display: flex;
    gap: 8px;
    align-items: center;
    padding: 6px 2px 8px;
    border-top: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, transparent));
  }
  .decided p {
    flex: 1 1 0;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`;
