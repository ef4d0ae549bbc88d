import { isSentence } from "../language.ts";

/**
 * A value as JSON that may be printed to a terminal. JSON itself lets pass DEL, C1 controls, bidirectional and invisible marks, line
 * separators and private characters; these are escaped, so that nothing moves the cursor or reorders text. A reader gets the same value.
 * A sentence is printed as its English text.
 */
export function printedJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, withTexts, indent).replace(notPrintable, escaped);
}

function withTexts(_key: string, value: unknown): unknown {
  return isSentence(value) ? value.text : value;
}

const notPrintable = /[\u007f-\u009f\u2028\u2029\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/gu;

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}
