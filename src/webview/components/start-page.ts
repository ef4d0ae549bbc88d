import * as z from "zod";

/** A panel's page. */
interface Page<Told, Said, State> extends HTMLElement {
  begin(
    kept: State,
    ports: { readonly say: (message: Said) => void; readonly keep: (state: State) => void },
  ): void;
  hear(message: Told): void;
  /** A page whose parts scroll by themselves has none. */
  rememberScroll?(scroll: number): void;
}

interface Kind<Told, Said, State> {
  readonly page: Page<Told, Said, State>;
  readonly hostMessage: z.ZodType<Told>;
  /** Kinds of the host's answers. What is none of them is not for us: other frames may say things too. */
  readonly answers: readonly string[];
  /** What the page hears where an answer is none that it knows. */
  readonly misunderstood: Told;
  readonly state: z.ZodType<State>;
  readonly firstState: State;
}

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** How long the page has to rest before where it is gets remembered. Milliseconds. */
const rest = 200;

/** Shows a panel's page and ties it to its host. */
export function startPage<Told, Said, State>(kind: Kind<Told, Said, State>): void {
  const { page, hostMessage, answers, misunderstood, state, firstState } = kind;
  // The page's policy allows no code made of text, which is how zod would be faster.
  z.config({ jitless: true });
  const answer = z.object({ type: z.enum(answers) });
  const editor = acquireVsCodeApi();
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const message = hostMessage.safeParse(data);
    if (message.success) page.hear(message.data);
    else if (answer.safeParse(data).success) page.hear(misunderstood);
  });
  let resting: number | undefined;
  window.addEventListener("scroll", () => {
    window.clearTimeout(resting);
    resting = window.setTimeout(() => page.rememberScroll?.(window.scrollY), rest);
  });
  document.body.append(page);
  page.begin(state.safeParse(editor.getState()).data ?? firstState, {
    say: (message) => editor.postMessage(message),
    keep: (kept) => editor.setState(kept),
  });
}
