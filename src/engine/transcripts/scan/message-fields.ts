import { TextSpan, type JsonCursor } from "./json-cursor.ts";
import { KeySet } from "./key-set.ts";
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
  read(cursor: JsonCursor, key: TextSpan): void {
    this.reset();
    this.state = stateOfObject(cursor);
    if (this.state !== "present") return;
    cursor.enter();
    while (cursor.member(key)) {
      switch (messageKeys.find(cursor.bytes, key)) {
        case "id":
          cursor.text(this.id);
          break;
        case "model":
          cursor.text(this.model);
          break;
        case "usage":
          this.usage.read(cursor, key);
          break;
        case undefined:
          cursor.skip();
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
