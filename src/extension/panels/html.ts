export interface PanelPage {
  readonly title: string;
  /** Of the editor, such as `en`: dates are written in it. */
  readonly language: string;
  /** Address of the panel's script. */
  readonly script: string;
  /** Nobody can guess it, and no page has the one of another. */
  readonly nonce: string;
}

/**
 * The page of a panel. It may run its own script and nothing else: no other code, no style in the page's text, no
 * network. Its styles are handed over by the script as objects, which no policy is needed for.
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
