import { fail, succeed } from "../../base/result.ts";
import type { Disposable, Acquired } from "../../base/events.ts";
import type { LiveSnapshot } from "../live-snapshot.ts";
import type { SessionView } from "./sessions-view.ts";
import { type Handlers, type ServeClient, type Client, serve, LatestSender } from "../../protocol/serve.ts";
import { serviceNotices, serviceRequests, type ViewConfiguration } from "../session-requests.ts";
import type { WindowSettings } from "../../settings/shape.ts";
import type { ViewPool } from "./view-pool.ts";
import { sentence } from "../../base/language.ts";

export interface SessionParts {
  readonly views: Pick<ViewPool, "view">;
  /** Configuration of a client that does not send one. */
  readonly defaults: ViewConfiguration;
  /** Receives the settings of a window's user, and the window's configuration. */
  readonly onWindow: (settings: WindowSettings, view: ViewConfiguration) => void;
}

const { configure, status, subscribe, unsubscribe } = serviceRequests;
const requests = { configure, status, subscribe, unsubscribe };

export function serveSessions(part: SessionParts): ServeClient {
  const missing = fail("no_sessions", sentence("this service reads no sessions"));
  return serve({
    requests,
    part,
    missing,
    handlers: (client) => handlers(part, client),
  });
}

function handlers(parts: SessionParts, client: Client): Handlers<SessionParts, typeof requests> {
  const clientView = new ClientView(parts, client);
  client.owned.add(clientView);
  const done = succeed({});
  return {
    configure({ onWindow }, { settings, ...view }) {
      if (settings !== undefined) onWindow(settings, view);
      clientView.configure(view);
      return done;
    },
    status: async () => succeed(await clientView.view().readNow()),
    subscribe() {
      clientView.follow();
      return done;
    },
    unsubscribe() {
      clientView.unfollow();
      return done;
    },
  };
}

class ClientView implements Disposable {
  readonly #parts: SessionParts;
  readonly #sender: LatestSender<LiveSnapshot>;
  #acquired: Acquired<{ readonly view: SessionView }> | undefined;
  #following: Disposable | undefined;

  constructor(parts: SessionParts, client: Client) {
    this.#parts = parts;
    this.#sender = new LatestSender((snapshot) => client.notify(serviceNotices.snapshot, snapshot));
  }

  view(): SessionView {
    this.#acquired ??= this.#parts.views.view(this.#parts.defaults);
    return this.#acquired.item.view;
  }

  configure(configuration: ViewConfiguration): void {
    const before = this.#acquired;
    this.#acquired = this.#parts.views.view(configuration);
    if (this.#following !== undefined) this.follow();
    before?.dispose();
  }

  follow(): void {
    this.unfollow();
    this.#following = this.view().follow((snapshot) => this.#sender.offer(snapshot));
  }

  unfollow(): void {
    this.#following?.dispose();
    this.#following = undefined;
    this.#sender.clear();
  }

  dispose(): void {
    this.unfollow();
    this.#acquired?.dispose();
    this.#acquired = undefined;
  }
}
