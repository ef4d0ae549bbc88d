import type { JsonCursor } from "./json-cursor.ts";
import { KeySet } from "./key-set.ts";
import { TextSpan } from "./text-span.ts";
import { stateOfObject, UsageFields } from "./usage-fields.ts";

const messageKeys = new KeySet(["id", "model", "usage"]);

/** The `message` object of an assistant row. */
export class MessageFields {
  state: "absent" | "present" | "wrong" = "absent";
  readonly id = new TextSpan();
  readonly model = new TextSpan();
  readonly usage = new UsageFields();

  reset(): void {
    this.state = "absent";
    this.id.state = "absent";
    this.model.state = "absent";
    this.usage.state = "absent";
  }

  /** Reads the value the cursor stands before. */
  read(cursor: JsonCursor): void {
    this.reset();
    this.state = stateOfObject(cursor);
    if (this.state !== "present") return;
    cursor.enter();
    for (let name = cursor.member(messageKeys); name !== undefined; name = cursor.member(messageKeys)) {
      switch (name) {
        case "id":
          cursor.text(this.id);
          break;
        case "model":
          cursor.text(this.model);
          break;
        case "usage":
          this.usage.read(cursor);
      }
    }
  }

  get isWrong(): boolean {
    return (
      this.state === "wrong" ||
      this.id.state === "wrong" ||
      this.model.state === "wrong" ||
      this.usage.state === "wrong"
    );
  }
}
