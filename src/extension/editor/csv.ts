export type CsvValue = string | number | null;

/** A table in RFC 4180 format. Unknown values are empty. */
export function csv(names: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [names, ...rows].map((row) => `${row.map((value) => field(value)).join(",")}\r\n`).join("");
}

function field(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  // A spreadsheet would run a text that looks like a formula.
  const text = /^[=+\-@\t\r]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
