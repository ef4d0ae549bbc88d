import { serveLedger } from "../ledger/ledger-host.ts";
import type { CreateFeature, ServiceCore } from "./feature.ts";
import { adviceHandler } from "./advice-handler.ts";
import { MessageGate, type QuestionEntry } from "./messages/gate.ts";
import { MessageQueue } from "./messages/queue.ts";
import type { Disposable } from "../base/events.ts";
import { fail, succeed } from "../base/result.ts";
import { serve, type Client, type ServeClient, type Handlers } from "../protocol/serve.ts";
import { messageNotices, messageRequests } from "./message-requests.ts";
import { sentence } from "../base/language.ts";

/** Answers requests about the ledger, and passes it the user's models and the folders open in windows. */
export const ledgerFeature: CreateFeature = (core) => {
  if (core === undefined) return { name: "ledger", serve: [serveLedger(undefined)] };
  const { ledger, settings, owned } = core;
  const configure = () => {
    ledger.configure(settings.now().models);
  };
  configure();
  owned.add(settings.onChange(configure));
  return {
    name: "ledger",
    serve: [serveLedger(ledger)],
    onWindow: (_, view) => ledger.addWindowRoots(view.roots),
  };
};

/** Warns an agent when its context fills. */
export const adviceFeature: CreateFeature = (core) => ({
  name: "advice",
  register: (hooks) => {
    if (core === undefined) return;
    const { adviceOf, memory, settings, clock, arms } = core;
    hooks.register(
      adviceHandler({
        adviceOf,
        memory,
        isOn: (folder, session) => settings.of(folder).warnAgent && !arms.isObserving(session, "advice"),
        everyCalls: () => settings.now().warnEveryCalls,
        reminder: () => settings.now().totalTokensReminder,
        now: () => clock.now(),
      }),
    );
  },
});

const missing = fail("no_messages", sentence("this service answers no hooks"));

/**
 * Messages between agents, which clients may let their users decide about.
 * @param part undefined where hooks are not answered
 */
export function serveMessages(part: MessageQueue | undefined): ServeClient {
  return serve({
    requests: messageRequests,
    part,
    missing,
    handlers,
  });
}

function handlers(client: Client): Handlers<MessageQueue, typeof messageRequests> {
  let following: Disposable | undefined;
  const letGo = () => {
    following?.dispose();
    following = undefined;
  };
  client.owned.add({ dispose: letGo });
  return {
    messagesFollow(queue, { folders }) {
      letGo();
      if (folders.length > 0 && !client.isOver)
        following = queue.follow(folders, {
          asked: (question) => void client.notify(messageNotices.messageAsked, question),
          settled: (settlement) => void client.notify(messageNotices.messageSettled, settlement),
        });
      return succeed({});
    },
    messageAnswer: (queue, { id, decision }) => succeed({ isTaken: queue.answer(id, decision) }),
  };
}

/**
 * Holds messages between agents, and asks the user about them in windows, in addition to the agent's prompt.
 */
export const messageFeature: CreateFeature = (core) => {
  const parts = core && createMessages(core);
  return {
    name: "messages",
    serve: [serveMessages(parts?.queue)],
    register: (hooks) => {
      if (parts === undefined) return;
      hooks.register(parts.gate.quick);
      hooks.register(parts.gate.waiting);
    },
    // Waiting messages are released; the agent then asks its user itself.
    stop: () => Promise.resolve(parts?.queue.dispose()),
  };
};

function createMessages({ ledger, platform, clock, settings, memory, onProblem }: ServiceCore) {
  const record = async (entry: QuestionEntry) => {
    const appended = await ledger.append([entry]);
    if (!appended.ok) onProblem(`A message between agents is not recorded: ${appended.detail.text}`);
  };
  const queue = new MessageQueue({ platform, held: () => gate.held() });
  const gate: MessageGate = new MessageGate({
    mode: () => settings.now().messages,
    now: () => clock.now(),
    memory,
    windows: queue,
    record: (entry) => void record(entry),
  });
  return { queue, gate };
}
