export const inPercent = (share: number) => `${(100 * share).toFixed(1)} %`;

export const millions = (tokens: number) => `${(tokens / 1e6).toFixed(2)} M`;

export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  console.log([line(head), ...rows.map(line), ""].join("\n"));
}
