import { inWords, t, type Sentence } from "../../engine/base/language.ts";
import { html, nothing, type TemplateResult } from "lit";
import { cleanText, foreignProjectName, shorten } from "../../engine/base/text.ts";

/** Maximum length of a tooltip. Characters. */
const maxTitleLength = 1000;

/**
 * Shows untrusted text: cleaned, shortened, and in full in the tooltip. It is isolated for text direction, so
 * that it cannot reorder the text beside it.
 */
export function outside(text: string, length: number): TemplateResult {
  const whole = shorten(cleanText(text), maxTitleLength);
  const shown = shorten(whole, length);
  return html`<bdi title=${shown === whole ? nothing : whole}>${shown}</bdi>`;
}

/** The same, with text between backticks as code. */
export function outsideWithCode(text: string, length: number): TemplateResult {
  const whole = shorten(cleanText(text), maxTitleLength);
  const shown = shorten(whole, length);
  const parts = shown.split(/`([^`]+)`/u);
  return html`<bdi title=${shown === whole ? nothing : whole}
    >${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}</bdi
  >`;
}

/** Cleans and cuts text where only plain text fits: in an option, or in a label for screen readers. */
export function outsideText(text: string, length: number): string {
  return shorten(cleanText(text), length);
}

/** Shows a message of the service, in the user's language. */
export function said(sentence: Sentence, length: number): TemplateResult {
  return outside(inWords(sentence), length);
}

/** The same as plain text. */
export function saidText(sentence: Sentence, length: number): string {
  return outsideText(inWords(sentence), length);
}

/** Shows a path by its last folders, and in full in the tooltip. @param name the part to show */
export function outsidePath(path: string, name: string, length: number): TemplateResult {
  return html`<bdi title=${shorten(cleanText(path), maxTitleLength)}>${outsideText(name, length)}</bdi>`;
}

/** Maximum last folders compared. Paths that are equal beyond it are shown in full. */
const maxFolders = 12;

function ofMachine(path: string): string {
  const name = foreignProjectName(path);
  return name === null ? path : t("{0} (another machine)", name);
}

/** Finds the shortest unique ends of paths, at whole folders. */
export function shortPaths(paths: readonly string[]): ReadonlyMap<string, string> {
  const short = new Map<string, string>();
  let open = [...new Set(paths)];
  for (let folders = 1; open.length > 0 && folders <= maxFolders; folders += 1) {
    const sharing = new Map<string, number>();
    for (const path of open)
      sharing.set(pathEnd(path, folders), (sharing.get(pathEnd(path, folders)) ?? 0) + 1);
    for (const path of open) {
      const end = pathEnd(path, folders);
      if (sharing.get(end) === 1) short.set(path, ofMachine(end));
    }
    open = open.filter((path) => !short.has(path));
  }
  for (const path of open) short.set(path, path);
  return short;
}

/** Removes the folder from a path below it; any other path is unchanged. */
export function relativePath(path: string, folder: string | null): string {
  if (folder === null || folder === "" || !path.startsWith(folder)) return path;
  const rest = path.slice(folder.length);
  return /^[\\/]./u.test(rest) ? rest.slice(1) : path;
}

function pathEnd(path: string, folders: number): string {
  const parts = path.split(/[\\/]/u).filter((part) => part !== "");
  return parts.length === 0 ? path : parts.slice(-folders).join("/");
}
