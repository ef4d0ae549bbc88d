import { css } from "lit";
import { figureStyles } from "../components/figure-styles.ts";

const economyParts = css`
  .cards dd {
    font-size: 1.25em;
  }
  h3 {
    margin: 12px 0 6px;
    font-size: 1em;
  }
`;

/** Styles of the Economy panel: its figures, and headings of agents. */
export const economyStyles = [figureStyles, economyParts];
