import type { PacketLine } from "../packet/packet.ts";
import type { PastAction } from "./past-action.ts";
import { isDone, isDropped } from "../../hooks/event.ts";

interface Item {
  readonly turn: number;
  readonly text: string;
  status: "open" | "done" | "dropped";
}

const maxItems = 100;

export class TodoList {
  /** By the agent's id if it numbers them, otherwise by their text. */
  #items = new Map<string, Item>();
  #count = 0;
  /** Statuses of tasks not yet known: subagents' files are read after the session's own. */
  readonly #later = new Map<string, Item["status"]>();

  add({ todos, outcome, madeTask }: PastAction, turn: number): string[] {
    if (todos === null || outcome === "failed") return [];
    switch (todos.kind) {
      case "all": {
        const before = this.#items;
        this.#items = new Map(
          todos.todos.slice(0, maxItems).map(({ text, isDone: done }) => {
            const item: Item = {
              turn: before.get(text)?.turn ?? turn,
              text,
              status: done ? "done" : "open",
            };
            return [text, item];
          }),
        );
        return Array.from(this.#items)
          .filter(([text, { status }]) => status === "done" && before.get(text)?.status !== "done")
          .map(([, { text }]) => text);
      }
      case "new":
        // Agents number tasks from 1, and report the number only in the result.
        this.#count = Number(madeTask ?? this.#count + 1);
        this.#made(madeTask ?? String(this.#count), { turn, text: todos.text, status: "open" });
        return [];
      case "changed": {
        const id = todos.id.replace(/^#/u, "");
        const status = statusOf(todos.status);
        const item = this.#items.get(id);
        if (item === undefined) {
          if (this.#later.size < maxItems) this.#later.set(id, status);
          return [];
        }
        const wasDone = item.status === "done";
        item.status = status;
        return item.status === "done" && !wasDone ? [item.text] : [];
      }
    }
  }

  /** Applies a subagent's changes to the list it shares with the session: tasks, but not its own todos. */
  addFromSubagent({ todos, madeTask }: PastAction, turn: number): void {
    if (todos === null || todos.kind === "all") return;
    if (todos.kind === "new") {
      if (madeTask !== null)
        this.#made(madeTask, { turn, text: todos.text, status: this.#later.get(madeTask) ?? "open" });
      return;
    }
    // The order of agents is unknown: a task that any agent closed counts as closed.
    const item = this.#items.get(todos.id.replace(/^#/u, ""));
    const status = statusOf(todos.status);
    if (item !== undefined && status !== "open") item.status = status;
  }

  #made(id: string, item: Item): void {
    this.#items.set(id, item);
    if (this.#items.size > maxItems) this.#forgetOne();
  }

  /** In the agent's order. */
  open(): PacketLine[] {
    return [...this.#items.values()]
      .filter(({ status }) => status === "open")
      .map(({ turn, text }) => ({ turn, text }));
  }

  #forgetOne(): void {
    const closed = [...this.#items].find(([, { status }]) => status !== "open") ?? [...this.#items][0];
    if (closed !== undefined) this.#items.delete(closed[0]);
  }
}

function statusOf(status: string): Item["status"] {
  if (isDropped(status)) return "dropped";
  return isDone(status) ? "done" : "open";
}
