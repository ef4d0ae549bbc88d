import { csvField } from "../../engine/base/text/csv-field.ts";

export type CsvValue = string | number | null;

/** A table in RFC 4180 format. Unknown values are empty. */
export function csv(names: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [names, ...rows].map((row) => `${row.map((value) => csvField(value)).join(",")}\r\n`).join("");
}
