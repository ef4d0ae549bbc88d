import { scrub } from "../../base/text/scrub.ts";
import type { PacketLine } from "../packet/packet.ts";
import type { PastAction } from "./past-action.ts";
import { isDone, isDropped } from "./todos.ts";

interface Item {
  readonly turn: number;
  readonly text: string;
  status: "open" | "done" | "dropped";
}

const mostItems = 100;

/** The agent's own list of what is to be done. */
export class TodoList {
  /** By the agent's id, where it numbers them; else by their text. */
  #items = new Map<string, Item>();
  #count = 0;

  /** Returns the items that a call finishes. */
  add({ todos, outcome }: PastAction, turn: number): string[] {
    if (todos === null || outcome === "failed") return [];
    switch (todos.kind) {
      case "all": {
        const before = this.#items;
        this.#items = new Map(
          todos.todos.slice(0, mostItems).map(({ text, isDone: done }) => {
            const item: Item = {
              turn: before.get(text)?.turn ?? turn,
              text: scrub(text),
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
        // Agents number tasks from 1, and tell the number in the result alone.
        this.#count += 1;
        this.#items.set(String(this.#count), { turn, text: scrub(todos.text), status: "open" });
        if (this.#items.size > mostItems) this.#forgetOne();
        return [];
      case "changed": {
        const item = this.#items.get(todos.id.replace(/^#/u, ""));
        if (item === undefined) return [];
        const wasDone = item.status === "done";
        if (isDropped(todos.status)) item.status = "dropped";
        else item.status = isDone(todos.status) ? "done" : "open";
        return item.status === "done" && !wasDone ? [item.text] : [];
      }
    }
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
