/** A time as agents write it. */
const usual = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;
/** The length of its day, with the `T`. */
const dayLength = 11;

/** Reads the times of rows. Nearly all are on the same day as the row before. */
export class UsualTimes {
  /** Initially not the start of any time. */
  #day = "-";
  #dayAt = Number.NaN;

  /** Milliseconds since the epoch, or `NaN`: `Date.parse` may read other forms. */
  read(text: string): number {
    if (!usual.test(text)) return Number.NaN;
    if (!text.startsWith(this.#day)) {
      this.#day = text.slice(0, dayLength);
      this.#dayAt = Date.parse(`${this.#day}00:00:00.000Z`);
    }
    const [hour, minute, second] = [pairAt(text, 11), pairAt(text, 14), pairAt(text, 17)];
    if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
    const milliseconds = 10 * pairAt(text, 20) + (pairAt(text, 21) % 10);
    return this.#dayAt + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds;
  }
}

/** Two digits as a number. */
function pairAt(text: string, at: number): number {
  return 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 528;
}
