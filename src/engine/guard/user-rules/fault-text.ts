import { sentence, type Sentence } from "../../base/language.ts";
import type { GuardFault } from "./config.ts";

/** Words a fault with its line. */
export function faultText({ line, message }: Pick<GuardFault, "line" | "message">): Sentence {
  return sentence("line {line}: {fault}", { line, fault: message });
}

/** Words that a file is longer than what is read. @param length characters */
export function tooLong(length: number, most: number): Sentence {
  return sentence("it has {0} characters; at most {1} are read", length, most);
}
