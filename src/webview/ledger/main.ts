import * as z from "zod";
import { firstState, hostMessage, panelState, type PanelMessage, type PanelState } from "./protocol.ts";
import { PurserLedger } from "./view.ts";

/** The panel's script: ties the page to its host. */

interface EditorApi {
  postMessage(message: PanelMessage): void;
  getState(): unknown;
  setState(state: PanelState): void;
}
declare function acquireVsCodeApi(): EditorApi;

/** How long the page has to rest before where it is gets remembered. Milliseconds. */
const rest = 200;

// The page's policy allows no code made of text, which is how zod would be faster.
z.config({ jitless: true });

const editor = acquireVsCodeApi();
const panel = new PurserLedger();
window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  const message = hostMessage.safeParse(data);
  // What is not the host's, the editor's own frames say.
  if (message.success) panel.hear(message.data);
});
let resting: number | undefined;
window.addEventListener("scroll", () => {
  window.clearTimeout(resting);
  resting = window.setTimeout(() => panel.rememberScroll(window.scrollY), rest);
});
document.body.append(panel);
panel.begin(panelState.safeParse(editor.getState()).data ?? firstState, {
  say: (message) => editor.postMessage(message),
  keep: (state) => editor.setState(state),
});
