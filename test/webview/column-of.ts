import assert from "node:assert/strict";
import type { Locator } from "playwright-core";

/** The texts in a column of a table, by row. Tests name a column by its heading, so that they hold when another one is added. */
export async function columnOf(table: Locator, heading: string): Promise<string[]> {
  const headings = await table.locator("thead th").allInnerTexts();
  const column = headings.findIndex((text) => text.replace(/\s*[↑↓]$/u, "") === heading);
  assert.notEqual(column, -1, `no column "${heading}" in: ${headings.join(", ")}`);
  return await table.locator(`tbody tr > :nth-child(${column + 1})`).allInnerTexts();
}
