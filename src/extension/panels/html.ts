export interface PanelPage {
  readonly title: string;
  /** The editor's language, such as `en`: dates are formatted for it. */
  readonly language: string;
  /** URI of the panel's script. */
  readonly script: string;
  /** Unguessable, and different for every page. */
  readonly nonce: string;
}

/**
 * A panel's HTML page. It may run its own script and nothing else: no other code, no styles in the HTML, no
 * network. The script adds its styles as objects, which need no policy.
 */
export function panelHtml({ title, language, script, nonce }: PanelPage): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="${escape(language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
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
