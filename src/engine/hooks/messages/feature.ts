import type { CreateFeature, ServiceCore } from "../feature.ts";
import { MessageGate, type QuestionEntry } from "./gate.ts";
import { MessageQueue } from "./queue.ts";
import { serveMessages } from "./serve-messages.ts";

/** Holds messages between agents, and asks the user about them: in windows, beside the agent's prompt. */
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
    // Waiting messages are released: the agent then asks its user itself.
    stop: () => Promise.resolve(parts?.queue.dispose()),
  };
};

function createMessages({ ledger, platform, clock, settings, memory, onProblem }: ServiceCore) {
  const record = async (entry: QuestionEntry) => {
    const appended = await ledger.append([entry]);
    if (!appended.ok) onProblem(`A message between agents is not recorded: ${appended.detail}`);
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
