import { english } from "../../base/text/english.ts";
import type { GuardFault } from "./config.ts";

/** Words a fault with its line. */
export function faultText({ line, message }: Pick<GuardFault, "line" | "message">): string {
  return english("line {line}: {saidFault}", { line, saidFault: message });
}

/** Words that a file is longer than what is read. @param length characters */
export function tooLong(length: number, most: number): string {
  return english("it has {0} characters; at most {1} are read", length, most);
}
