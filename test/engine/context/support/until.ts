import type { Disposable } from "../../../../src/engine/base/disposable.ts";

/** The first value of an event, from now on, that is as wanted. Fails when none comes within the time. Milliseconds. */
export function until<Value>(
  listen: (listener: (value: Value) => void) => Disposable,
  isWanted: (value: Value) => boolean,
  within = 5000,
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
