import { html, type TemplateResult } from "lit";
import { t } from "../../engine/base/text/l10n.ts";
import { longestName } from "../components/table/table-cells.ts";
import { outside, outsidePath } from "../components/outside.ts";
import { shortPaths } from "../components/charts/paths.ts";
import { filled } from "../components/text/filled.ts";

/** Names paths by the fewest last folders that distinguish them. */
export function pathNames(paths: readonly (string | null)[]): (path: string) => TemplateResult {
  const names = shortPaths(paths.filter((path) => path !== null));
  return (path) => outsidePath(path, names.get(path) ?? path, longestName);
}

/** Names a session by its title, else by the start of its id. */
export function sessionName(id: string, title: string | null, length = longestName): TemplateResult {
  return title === null || title.trim() === ""
    ? html`<span title=${id}>${filled(t("Session {0}"), outside(id.slice(0, 8), 8))}</span>`
    : outside(title, length);
}
