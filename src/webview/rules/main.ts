import * as z from "zod";
import { firstState, hostMessage, panelState, type PanelMessage, type PanelState } from "./protocol.ts";
import { PurserRules } from "./view.ts";
import { misunderstood } from "./words.ts";

/** The panel's script: ties the page to its host. */

interface EditorApi {
  postMessage(message: PanelMessage): void;
  getState(): unknown;
  setState(state: PanelState): void;
}
declare function acquireVsCodeApi(): EditorApi;

/** What is none of the host's answers is not for us: other frames may say things too. */
const answers = z.object({ type: z.enum(["rules", "evidence", "jobs", "offer", "plan"]) });

/** How long the page has to rest before where it is gets remembered. Milliseconds. */
const rest = 200;

// The page's policy allows no code made of text, which is how zod would be faster.
z.config({ jitless: true });

const editor = acquireVsCodeApi();
const panel = new PurserRules();
window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  const message = hostMessage.safeParse(data);
  if (message.success) panel.hear(message.data);
  else if (answers.safeParse(data).success) panel.hear({ type: "offline", message: misunderstood });
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
