import axe from "axe-core";
import type { Page } from "playwright-core";
import { z } from "zod";
import type { ThemeName } from "./panel-page.ts";

const violations = z.array(z.object({ id: z.string(), targets: z.array(z.string()) }));

/** Themes in which only the contrast is checked: in a panel's default theme every rule is checked on each page. */
export const otherThemes: readonly ThemeName[] = [
  "Light Modern",
  "Dark High Contrast",
  "Light High Contrast",
];

/** axe's findings on a page, injected through the browser to bypass the page's policy. @param rules all rules if omitted */
export async function faultsOf(page: Page, rules?: readonly string[]): Promise<z.infer<typeof violations>> {
  if (!z.boolean().parse(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options = { resultTypes: ["violations"], ...(rules === undefined ? {} : { runOnly: rules }) };
  const found = await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then((result) =>
    result.violations.map(({ id, nodes }) => ({
      id,
      targets: nodes.map(({ target, failureSummary }) => JSON.stringify(target) + failureSummary),
    })))`);
  return violations.parse(found);
}
