import type { Disposable } from "../../../../src/engine/base/events.ts";

/** Returns the next wanted value of an event. Fails if none comes within the time, in milliseconds. */
export function until<Value>(
  listen: (listener: (value: Value) => void) => Disposable,
  isWanted: (value: Value) => boolean,
  within = 30_000,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(deadline);
      listening.dispose();
    };
    const deadline = setTimeout(() => {
      stop();
      reject(new Error(`nothing like this came within ${within} ms: ${isWanted.toString()}`));
    }, within);
    const listening = listen((value) => {
      if (!isWanted(value)) return;
      stop();
      resolve(value);
    });
  });
}
