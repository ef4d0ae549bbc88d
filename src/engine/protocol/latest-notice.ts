import type { Disposable } from "../base/disposable.ts";
import { LatestSender } from "./latest-sender.ts";

/** Sends an event's values to a client; a slow client gets only the latest. */
export function sendLatest<Value>(
  listen: (listener: (value: Value) => void) => Disposable,
  send: (value: Value) => Promise<void>,
): Disposable {
  const sender = new LatestSender(send);
  const listening = listen((value) => sender.offer(value));
  return {
    dispose: () => {
      listening.dispose();
      sender.clear();
    },
  };
}
