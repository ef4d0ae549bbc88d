import * as z from "zod/mini";
import { t } from "../../engine/base/language.ts";
import type { PanelPage } from "./components-page.ts";
import type { PageModel } from "./page-context.ts";
import { panelLinks } from "./panel-links.ts";

/** Replaces an answer that does not match the page's schema. */
const misunderstood = {
  type: "offline" as const,
  message: t(
    "This panel and the extension are of different versions. Reload the window to make them the same.",
  ),
};

interface Kind<Model extends PageModel, HostMessage, PanelMessage> {
  readonly page: PanelPage<Model, NoInfer<HostMessage> | typeof misunderstood, PanelMessage>;
  readonly hostMessage: z.ZodMiniType<HostMessage>;
  /** Types of the host's answers. Any other message is not for this page: other frames post messages too. */
  readonly answers: readonly string[];
  readonly state: z.ZodMiniType<Model["kept"]>;
}

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** The page stores its scroll position after this long without scrolling. Milliseconds. */
const rest = 200;

/** Shows a panel's page and connects it to its host. */
export function startPage<Model extends PageModel, HostMessage, PanelMessage>(
  kind: Kind<Model, HostMessage, PanelMessage>,
): void {
  const { page, hostMessage, answers, state } = kind;
  const answer = z.object({ type: z.enum(answers) });
  const editor = acquireVsCodeApi();
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const message = hostMessage.safeParse(data);
    if (message.success) page.handle(message.data);
    else if (answer.safeParse(data).success) page.handle(misunderstood);
  });
  let resting: number | undefined;
  window.addEventListener("scroll", () => {
    window.clearTimeout(resting);
    resting = window.setTimeout(() => page.rememberScroll(window.scrollY), rest);
  });
  const links = panelLinks(
    (message) => editor.postMessage(message),
    () => page.home(),
  );
  if (links !== null) document.body.append(links);
  document.body.append(page);
  page.start(state.safeParse(editor.getState()).data, {
    post: (message) => editor.postMessage(message),
    keep: (kept) => editor.setState(kept),
  });
}
