import type { LinkedPanel } from "../../webview/components/panel-message.ts";
import { agents } from "../../engine/transcripts/agents.ts";

export interface PanelPage {
  readonly title: string;
  /** The editor's language, such as `en`: dates are formatted for it. */
  readonly language: string;
  /** URI of the panel's script. */
  readonly script: string;
  /** Unguessable, and different for every page. */
  readonly nonce: string;
  /** Its name among the panels that lead to each other; without one it has no links. */
  readonly panel?: LinkedPanel;
  /** Whether it is one of the sample's. */
  readonly isSample?: boolean;
}

/**
 * A panel's HTML page, with the agents' display names. It may run its own script and nothing else: no other code, no styles in the HTML, no
 * network. The script adds its styles as objects, which need no policy.
 */
export function panelHtml({ title, language, script, nonce, panel, isSample = false }: PanelPage): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  const names = agents.map(
    ({ name, displayName }) => `\n    <meta name="agent:${escape(name)}" content="${escape(displayName)}" />`,
  );
  const own = [
    ...(panel === undefined ? [] : [["panel", panel]]),
    ...(isSample ? [["sample", "yes"]] : []),
  ].map(([name, content]) => `\n    <meta name="${name}" content="${content}" />`);
  return `<!doctype html>
<html lang="${escape(language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />${[...names, ...own].join("")}
    <title>${escape(title)}</title>
  </head>
  <body>
    <script type="module" nonce="${nonce}" src="${escape(script)}"></script>
  </body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/gu, (mark) => `&#${mark.charCodeAt(0)};`);
}
