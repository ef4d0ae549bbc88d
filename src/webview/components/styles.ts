import { unsafeCSS } from "lit";
import text from "./styles.css";

/** The styles of all panels and components. Each adopts the same style sheet. */
export const styles = unsafeCSS(text);
