/** A JSON string's place in the bytes, without its quotes; or that a value was absent, or not a string. */
export class TextSpan {
  state: "absent" | "present" | "wrong" = "absent";
  start = 0;
  end = 0;
  /** The raw bytes hold a backslash, so they are not the text itself. */
  isEscaped = false;

  get isPresent(): boolean {
    return this.state === "present";
  }
}
