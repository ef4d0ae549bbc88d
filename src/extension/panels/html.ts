import type { LinkedPanel } from "../../webview/components/panel-message.ts";
import { translationKey, type Translation } from "../../engine/base/language.ts";
import { agents } from "../../engine/transcripts/agents.ts";

export interface PanelPage {
  readonly title: string;
  /** The translation into the editor's language; English without one. */
  readonly translation?: Translation | undefined;
  /** URI of the panel's script. */
  readonly script: string;
  /** Unguessable, and different for every page. */
  readonly nonce: string;
  /** Its name among the linked panels. A page without one has no links. */
  readonly panel?: LinkedPanel;
  /** Whether the page belongs to the sample. */
  readonly isSample?: boolean;
}

/**
 * A panel's HTML page, with the agents' display names and the translation. It may run its own script and nothing else: no other code, no styles in the HTML, no
 * network. The script adds its styles as objects, which need no policy.
 */
export function panelHtml({ title, translation, script, nonce, panel, isSample = false }: PanelPage): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  const names = agents.map(
    ({ name, displayName }) => `\n    <meta name="agent:${escape(name)}" content="${escape(displayName)}" />`,
  );
  const own = [
    ...(panel === undefined ? [] : [["panel", panel]]),
    ...(isSample ? [["sample", "yes"]] : []),
  ].map(([name, content]) => `\n    <meta name="${name}" content="${content}" />`);
  return `<!doctype html>
<html lang="${escape(translation?.language ?? "en")}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />${[...names, ...own].join("")}
    <title>${escape(title)}</title>
  </head>
  <body>${translation === undefined ? "" : translationScript(translation, nonce)}
    <script type="module" nonce="${nonce}" src="${escape(script)}"></script>
  </body>
</html>
`;
}

/** Installs the translation before the page's script, a module, is evaluated. JSON is JavaScript, but for what could end the element. */
function translationScript(translation: Translation, nonce: string): string {
  const json = JSON.stringify(translation).replaceAll("<", "\\u003c");
  return `\n    <script nonce="${nonce}">globalThis.${translationKey} = ${json};</script>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/gu, (mark) => `&#${mark.charCodeAt(0)};`);
}
