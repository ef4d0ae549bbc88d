import type { Disposable } from "../base/disposable.ts";
import { MessageGate, type MessagePorts, type QuestionEntry } from "../guard/message-gate.ts";
import type { LedgerKeeper } from "./ledger-keeper.ts";
import { MessageDesk } from "./message-desk.ts";

export interface MessageGuardPorts extends Pick<MessagePorts, "mode" | "now" | "memory"> {
  readonly platform: NodeJS.Platform;
  readonly ledger: Pick<LedgerKeeper, "append">;
  readonly onProblem: (message: string) => void;
}

/** What holds messages between agents, and what asks the user about them: in windows, beside the agent's own prompt. */
export class MessageGuard implements Disposable {
  readonly gate: MessageGate;
  readonly desk: MessageDesk;
  readonly #ports: MessageGuardPorts;

  constructor(ports: MessageGuardPorts) {
    this.#ports = ports;
    const { platform, mode, now, memory } = ports;
    this.desk = new MessageDesk({ platform, held: () => this.gate.held() });
    this.gate = new MessageGate({
      mode,
      now,
      memory,
      ask: (message, signal) => this.desk.ask(message, signal),
      settle: (id, outcome) => this.desk.settle(id, outcome),
      record: (entry) => void this.#record(entry),
    });
  }

  dispose(): void {
    this.desk.dispose();
  }

  async #record(entry: QuestionEntry): Promise<void> {
    const told = await this.#ports.ledger.append([entry]);
    if (!told.ok) this.#ports.onProblem(`A message between agents is not recorded: ${told.detail}`);
  }
}
